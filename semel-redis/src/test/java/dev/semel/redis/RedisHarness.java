package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.redis.connection.Link;
import dev.semel.redis.doctor.RedisRepairReport;
import dev.semel.redis.doctor.RepairRuns;
import dev.semel.redis.record.Layout;
import dev.semel.redis.record.RecordFormat;
import dev.semel.redis.script.Arguments;
import dev.semel.redis.script.Scripts;
import dev.semel.redis.uri.RedisUri;
import dev.semel.testkit.StoreHarness;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A store with its own prefix, whose clock a test can move: the scripts add a value from a key of each shard to the server's
 * time.
 */
public final class RedisHarness implements StoreHarness {

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private static final UnaryOperator<String> MOVED = text -> text.replace(
            "return time[1] * 1000000 + time[2]",
            "return time[1] * 1000000 + time[2] + (tonumber(redis.call('GET', ROOT .. ':moved')) or 0)");

    private final List<RedisServer> servers;
    private final RedisUri uri;
    private final RedisStore store;
    private final RedisStore another;
    private final Link link;
    private Duration elapsed = Duration.ZERO;

    public RedisHarness(String uri, List<RedisServer> servers) {
        this(uri, servers, Duration.ZERO);
    }

    /** A store that keeps tombstones for so long. */
    public RedisHarness(String uri, List<RedisServer> servers, Duration tombstones) {
        RedisUri parsed = RedisUri.parse(uri);
        this.servers = servers;
        this.uri = parsed.withOptions(
                parsed.options().withPrefix("test" + PREFIXES.incrementAndGet()).withTombstones(tombstones));
        this.store = RedisStore.open(this.uri, scripts());
        this.another = RedisStore.open(this.uri, scripts());
        this.link = Link.open(this.uri);
    }

    private static Scripts scripts() {
        return new Scripts(MOVED);
    }

    public RedisUri uri() {
        return uri;
    }

    /** A connection to the servers that bypasses the stores. */
    public Link link() {
        return link;
    }

    /** Inspects all keys with the moved clock, and repairs them if wanted. */
    public RedisRepairReport inspect(boolean repair) {
        return RepairRuns.run(link, scripts(), repair);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store another() {
        return another;
    }

    @Override
    public void elapse(Duration duration) {
        elapsed = elapsed.plus(duration);
        Layout layout = new Layout(uri.options().prefix(), uri.options().shards());
        for (int shard = 0; shard < layout.shards(); shard++) {
            byte[] key = Arguments.text(new String(layout.root(shard), StandardCharsets.US_ASCII) + ":moved");
            link.await(link.<String, String>call(
                    commands -> commands.set(key, Arguments.number(RecordFormat.micros(elapsed))), reply -> reply));
        }
    }

    /** The servers' own count of scripts: every verb is one script, and commands within a script are not counted. */
    @Override
    public long roundTrips() {
        long calls = 0;
        for (RedisServer server : servers) {
            for (String command : List.of("cmdstat_evalsha", "cmdstat_eval")) {
                String stat = server.info("commandstats", command);
                if (!stat.isEmpty()) {
                    calls += Long.parseLong(stat.substring("calls=".length(), stat.indexOf(',')));
                }
            }
        }
        return calls;
    }

    /** Also checks that the test left every record with the right TTL and in the right indexes. */
    @Override
    public void close() {
        store.close();
        another.close();
        try (link) {
            assertThat(inspect(false).examples()).isEmpty();
        }
    }
}
