package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.reconcile.StoredRecord;
import dev.semel.redis.record.Layout;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A slot moves key by key. A write to a shard that is split between two nodes would split its indexes for good, and a sweep
 * would take records that have not moved yet for deleted ones.
 */
@DisplayName("A slot that is half moved")
@Timeout(120)
class HalfMovedSlotTest {

    private static final Identity MOVED = Identity.of("acme", "moved");
    private static final Identity LEFT = Identity.of("acme", "left");

    private static RedisCluster cluster;
    private static int prefixes;

    private String root;
    private RedisStore store;
    private RedisServer from;
    private RedisServer to;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(2, 0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        String prefix = "half" + ++prefixes;
        root = prefix + ":{0}";
        store = RedisStore.open(cluster.uri() + "?shards=1&prefix=" + prefix);
        int owner = slot() * 2 / RedisCluster.SLOTS;
        from = cluster.primaries().get(owner);
        to = cluster.primaries().get(1 - owner);
    }

    /** Moves the slot back for the next test. */
    @AfterEach
    void close() {
        store.close();
        cluster.move(slot(), to, from);
    }

    private int slot() {
        return Integer.parseInt(String.valueOf(cluster.primaries().get(0).call("CLUSTER", "KEYSLOT", root)));
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private Lease granted(Identity identity, Duration lease) {
        ClaimAnswer answer =
                await(store.claim(new ClaimRequest(identity, "pay", new Fingerprint("v1:a"), lease, false, "me")));
        return ((ClaimAnswer.Granted) answer).record().lease();
    }

    /** Moves only these keys of the shard. */
    private void halfMove(String... keys) {
        String slot = String.valueOf(slot());
        to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", RedisCluster.idOf(from));
        from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", RedisCluster.idOf(to));
        for (String key : keys) {
            from.call("MIGRATE", "127.0.0.1", String.valueOf(to.port()), key, "0", "10000");
        }
    }

    private String keyOf(Identity identity) {
        return new String(
                new Layout(root.substring(0, root.indexOf(':')), 1).keys(identity)[1], StandardCharsets.UTF_8);
    }

    private CompletionStage<SettleAnswer> complete(Lease lease) {
        return store.settle(lease, new Outcome.Completed(Response.of(new byte[] {1})), Duration.ofHours(1));
    }

    @Test
    void is_not_written_to_where_its_indexes_are_not() {
        Lease lease = granted(MOVED, Duration.ofHours(1));
        assertThat(await(complete(granted(LEFT, Duration.ofHours(1))))).isInstanceOf(SettleAnswer.Settled.class);
        halfMove(root, keyOf(MOVED));

        assertThatThrownBy(() -> await(complete(lease))).hasCauseInstanceOf(StoreException.class);

        // Redis would refuse to move an index to a node that has a key of the same name.
        cluster.move(slot(), from, to);
        assertThat(await(complete(lease))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    void is_not_swept_while_records_are_missing() {
        granted(LEFT, Duration.ofNanos(1));
        halfMove(root, root + ":leases");

        assertThatThrownBy(() -> store.sweep(10)).isInstanceOf(StoreException.class);

        cluster.move(slot(), from, to);
        assertThat(store.sweep(10)).extracting(StoredRecord::identity).isEqualTo(List.of(LEFT));
    }

    @Test
    void is_not_swept_where_records_are_gone() {
        granted(LEFT, Duration.ofNanos(1));
        halfMove(keyOf(LEFT));

        assertThatThrownBy(() -> store.sweep(10)).isInstanceOf(StoreException.class);

        cluster.move(slot(), from, to);
        assertThat(store.sweep(10)).extracting(StoredRecord::identity).isEqualTo(List.of(LEFT));
    }
}
