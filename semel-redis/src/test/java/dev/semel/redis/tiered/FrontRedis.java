package dev.semel.redis.tiered;

import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.redis.connection.Link;
import dev.semel.redis.uri.RedisUri;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The Redis of a tiered store, with its own prefix, and access to the copies in it. */
final class FrontRedis implements AutoCloseable {

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private final RedisServer server;
    private final RedisUri uri;
    private final Link raw;

    FrontRedis(RedisServer server) {
        RedisUri parsed = RedisUri.parse(server.uri());
        this.server = server;
        this.uri = parsed.withOptions(parsed.options().withPrefix("front" + PREFIXES.incrementAndGet()));
        this.raw = Link.open(uri);
    }

    RedisUri uri() {
        return uri;
    }

    /** Opens a tiered store with a timeout that is long enough for a busy machine. */
    TieredStore over(Store primary, LongSupplier nanos) {
        return TieredStore.over(primary, Link.open(uri), TieredOptions.DEFAULT, nanos);
    }

    TieredStore over(Store primary) {
        return over(primary, System::nanoTime);
    }

    byte[] key(Identity identity) {
        return (uri.options().prefix() + ":c:" + identity.scope().value() + "\t"
                        + identity.key().value())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the bytes of a copy; empty when there is none, or a value that is no string. */
    byte[] copy(Identity identity) {
        try {
            return raw.await(raw.<byte[], byte[]>call(
                    commands -> commands.get(key(identity)), bytes -> bytes == null ? new byte[0] : bytes));
        } catch (StoreException wrongType) {
            return new byte[0];
        }
    }

    /** Waits until there is a copy. */
    byte[] awaitCopy(Identity identity) {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> copy(identity), copy -> copy.length > 0);
    }

    boolean has(Identity identity) {
        return copy(identity).length > 0;
    }

    /** Replaces a copy by these bytes, without a TTL. */
    void put(Identity identity, byte[] bytes) {
        raw.await(raw.<String, String>call(commands -> commands.set(key(identity), bytes), reply -> reply));
    }

    /** Replaces a copy by a list. */
    void putList(Identity identity) {
        // In one script: a copy may be written at the same time.
        String list = "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], 'x')";
        raw.await(raw.<Long, Long>call(
                commands -> commands.eval(list, ScriptOutputType.INTEGER, new byte[][] {key(identity)}),
                reply -> reply));
    }

    /** Returns the TTL of a copy; -1 without a TTL, -2 without a copy. */
    long millisLeft(Identity identity) {
        return raw.await(raw.<Long, Long>call(commands -> commands.pttl(key(identity)), reply -> reply));
    }

    void flush() {
        raw.await(raw.<String, String>call(commands -> commands.flushall(), reply -> reply));
    }

    /** Returns the server's own count of commands. */
    Commands commands() {
        return new Commands(calls("getrange"), calls("set"), others());
    }

    /**
     * Numbers of commands.
     *
     * @param others commands that neither read nor write a copy, except {@code INFO}
     */
    record Commands(long reads, long writes, long others) {

        Commands since(Commands before) {
            return new Commands(reads - before.reads, writes - before.writes, others - before.others);
        }
    }

    private long calls(String command) {
        return callsIn(server.info("commandstats", "cmdstat_" + command));
    }

    private static long callsIn(@Nullable String stat) {
        return stat == null || stat.isEmpty()
                ? 0
                : Long.parseLong(stat.substring(stat.indexOf('=') + 1, stat.indexOf(',')));
    }

    private long others() {
        List<String> known = List.of("cmdstat_getrange", "cmdstat_set", "cmdstat_info");
        return String.valueOf(server.call("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .filter(line -> !known.contains(line.substring(0, line.indexOf(':'))))
                .mapToLong(FrontRedis::callsIn)
                .sum();
    }

    @Override
    public void close() {
        raw.close();
    }
}
