package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A Redis in front of a truth, under a prefix of its own, and hands on what lies in it. */
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

    /** A store that is connected to it, and as patient as a busy machine needs. */
    TieredStore over(Store truth, LongSupplier nanos) {
        return TieredStore.over(truth, Link.open(uri), TieredOptions.DEFAULT, nanos);
    }

    TieredStore over(Store truth) {
        return over(truth, System::nanoTime);
    }

    byte[] key(Identity identity) {
        return (uri.options().prefix() + ":c:" + identity.scope().value() + "\t"
                        + identity.key().value())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** What lies there as a copy; empty when nothing does, or something that is no string. */
    byte[] copy(Identity identity) {
        try {
            return raw.await(raw.<byte[], byte[]>call(
                    commands -> commands.get(key(identity)), bytes -> bytes == null ? new byte[0] : bytes));
        } catch (StoreException ofAnotherType) {
            return new byte[0];
        }
    }

    /** Waits for a copy that is on its way. */
    byte[] awaitCopy(Identity identity) {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> copy(identity), copy -> copy.length > 0);
    }

    boolean has(Identity identity) {
        return copy(identity).length > 0;
    }

    /** Puts something in the place of a copy, for good. */
    void put(Identity identity, byte[] bytes) {
        raw.await(raw.<String, String>call(commands -> commands.set(key(identity), bytes), reply -> reply));
    }

    /** Puts a list in the place of a copy. */
    void putList(Identity identity) {
        // At once: a copy may be on its way there.
        String list = "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], 'x')";
        raw.await(raw.<Long, Long>call(
                commands -> commands.eval(list, ScriptOutputType.INTEGER, new byte[][] {key(identity)}),
                reply -> reply));
    }

    /** What is left of a copy's time; -1 without an end, -2 without a copy. */
    long millisLeft(Identity identity) {
        return raw.await(raw.<Long, Long>call(commands -> commands.pttl(key(identity)), reply -> reply));
    }

    void flush() {
        raw.await(raw.<String, String>call(commands -> commands.flushall(), reply -> reply));
    }

    /** How often the server was asked for copies, and was told some, as it counts them. */
    Asked asked() {
        return new Asked(calls("getrange"), calls("set"), others());
    }

    /**
     * Commands that a server has seen.
     *
     * @param others those that neither read nor write a copy, nor ask for this
     */
    record Asked(long reads, long writes, long others) {

        Asked since(Asked before) {
            return new Asked(reads - before.reads, writes - before.writes, others - before.others);
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
