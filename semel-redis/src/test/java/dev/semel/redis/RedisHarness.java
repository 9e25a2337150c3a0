package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.testkit.StoreHarness;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A store under a prefix of its own, whose clock a test can move: the scripts add what lies in a key of each shard to the
 * time that Redis tells them.
 */
final class RedisHarness implements StoreHarness {

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private static final UnaryOperator<String> MOVED = text -> text.replace(
            "return time[1] * 1000000 + time[2]",
            "return time[1] * 1000000 + time[2] + (tonumber(redis.call('GET', ROOT .. ':moved')) or 0)");

    private final List<RedisServer> servers;
    private final RedisUri uri;
    private final RedisStore store;
    private final RedisStore another;
    private final Link link;
    private Duration passed = Duration.ZERO;

    RedisHarness(String uri, List<RedisServer> servers) {
        RedisUri parsed = RedisUri.parse(uri);
        this.servers = servers;
        this.uri = parsed.withOptions(parsed.options().withPrefix("test" + PREFIXES.incrementAndGet()));
        this.store = RedisStore.open(this.uri, MOVED);
        this.another = RedisStore.open(this.uri, MOVED);
        this.link = Link.open(this.uri);
    }

    RedisUri uri() {
        return uri;
    }

    /** The way to the servers past the stores. */
    Link link() {
        return link;
    }

    RedisRepairReport repaired(boolean mend) {
        return RedisRepair.run(link, new Scripts(MOVED), mend);
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
        passed = passed.plus(duration);
        Layout layout = new Layout(uri.options().prefix(), uri.options().shards());
        for (int shard = 0; shard < layout.shards(); shard++) {
            byte[] key = RedisStore.bytes(new String(layout.root(shard), StandardCharsets.US_ASCII) + ":moved");
            link.await(link.<String, String>call(
                    commands -> commands.set(key, RedisStore.number(RecordFormat.micros(passed))), reply -> reply));
        }
    }

    /** As the servers count them: every verb is a script, and what scripts do is not counted among these. */
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

    /** Whatever a test has done through stores has left every record with the end and in the indexes that it should have. */
    @Override
    public void close() {
        store.close();
        another.close();
        try (link) {
            assertThat(repaired(false).examples()).isEmpty();
        }
    }
}
