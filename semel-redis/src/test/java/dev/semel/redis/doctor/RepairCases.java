package dev.semel.redis.doctor;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.redis.RedisHarness;
import dev.semel.redis.RedisStore;
import dev.semel.redis.connection.Link;
import dev.semel.redis.record.Layout;
import dev.semel.redis.script.Arguments;
import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage that other programs can do to a store's keys, and its repair. */
abstract class RepairCases implements StoreVerbs {

    private RedisHarness harness;
    private Link link;
    private Layout layout;

    abstract String uri();

    abstract List<RedisServer> servers();

    @BeforeEach
    void open() {
        harness = new RedisHarness(uri(), servers());
        link = harness.link();
        layout = new Layout(
                harness.uri().options().prefix(), harness.uri().options().shards());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    private <T> T raw(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
        return link.await(link.<T, T>call(command, reply -> reply));
    }

    private byte[] key(String key) {
        return layout.keys(id(key))[1];
    }

    private byte[] index(String key, String name) {
        byte[] root = layout.keys(id(key))[0];
        return Arguments.text(new String(root, StandardCharsets.US_ASCII) + name);
    }

    private void loseFrom(String index, String key) {
        long lost = raw(commands -> commands.zrem(index(key, index), Layout.member(id(key))));
        assertThat(lost).isEqualTo(1);
    }

    private long endOf(String key) {
        return raw(commands -> commands.pexpiretime(key(key)));
    }

    private long endOfIndex(String key, String name) {
        return raw(commands -> commands.pexpiretime(index(key, name)));
    }

    private Map<RedisDefect, Long> defects() {
        return harness.inspect(false).counts();
    }

    /** Checks that these defects are found and repaired, and that none is left. */
    private void assertRepaired(RedisDefect... defects) {
        Map<RedisDefect, Long> found = defects();
        assertThat(found)
                .containsOnlyKeys(defects)
                .allSatisfy((defect, count) -> assertThat(count).isEqualTo(1));
        RedisRepairReport report = harness.inspect(true);
        assertThat(report.counts()).isEqualTo(found);
        assertThat(report.examples().keySet()).isEqualTo(found.keySet());
        assertThat(defects()).isEmpty();
    }

    private byte[] valueOf(String key) {
        return raw(commands -> commands.get(key(key)));
    }

    @Test
    void the_store_itself_causes_no_defect() {
        settle(granted("completed"), completed("paid"));
        settle(granted("retryable"), notExecuted());
        settle(granted("unknown"), unknown());
        granted("running");
        granted(StoreVerbs.reexecutable("offered"));
        expireLeases();
        sweep(10);
        granted("running too");

        RedisRepairReport report = RedisRepair.inspect(harness.uri());

        assertThat(report.isClean()).isTrue();
        assertThat(report.inspected()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void a_settled_record_without_a_ttl_gets_the_right_one() {
        settle(granted("k"), completed("paid"));
        long end = endOf("k");
        byte[] before = valueOf("k");
        raw(commands -> commands.persist(key("k")));

        assertRepaired(RedisDefect.SETTLED_WITHOUT_TTL);

        assertThat(endOf("k")).isEqualTo(end);
        assertThat(valueOf("k")).isEqualTo(before);
    }

    @Test
    void a_settled_record_that_lost_its_ttl_long_ago_is_pruned() {
        settle(granted("k"), completed("paid"));
        raw(commands -> commands.persist(key("k")));
        loseFrom(":expiring", "k");
        harness.elapse(RETENTION.plusDays(2));

        assertRepaired(RedisDefect.SETTLED_WITHOUT_TTL, RedisDefect.MISSING_FROM_INDEX);

        assertThat(record("k").state()).isEqualTo(State.EXPIRED);
        assertThat(store().prune(10, Expiry.MARK)).isEqualTo(1);
        assertThat(defects()).isEmpty();
    }

    @Test
    void a_ttl_that_ends_before_the_retention_is_extended() {
        settle(granted("k"), completed("paid"));
        long end = endOf("k");
        raw(commands -> commands.pexpire(key("k"), Duration.ofMinutes(5).toMillis()));

        assertRepaired(RedisDefect.TTL_TOO_SHORT);

        assertThat(endOf("k")).isEqualTo(end);
    }

    @Test
    void no_ttl_is_shortened() {
        settle(granted("k"), completed("paid"));
        long late = endOf("k") + Duration.ofDays(9).toMillis();
        raw(commands -> commands.pexpireat(key("k"), late));
        loseFrom(":expiring", "k");

        assertRepaired(RedisDefect.MISSING_FROM_INDEX);

        assertThat(endOf("k")).isEqualTo(late);
        assertThat(endOfIndex("k", ":expiring")).isGreaterThanOrEqualTo(late);
    }

    @Test
    void a_marked_record_keeps_its_ttl_and_gets_one_if_it_has_none() {
        settle(granted("k"), completed("paid"));
        harness.elapse(RETENTION.plusMinutes(1));
        store().prune(10, Expiry.MARK);
        assertThat(defects()).isEmpty();
        long late = endOf("k") + Duration.ofDays(300).toMillis();
        raw(commands -> commands.pexpireat(key("k"), late));
        loseFrom(":marked", "k");
        assertRepaired(RedisDefect.MISSING_FROM_INDEX);
        assertThat(endOf("k")).isEqualTo(late);

        raw(commands -> commands.persist(key("k")));
        assertRepaired(RedisDefect.SETTLED_WITHOUT_TTL);
        assertThat(endOf("k")).isPositive();
    }

    @Test
    void the_ttl_of_an_open_record_is_removed() {
        Lease running = granted("running");
        settle(granted("unknown"), unknown());
        raw(commands -> commands.pexpire(key("running"), Duration.ofMinutes(5).toMillis()));
        assertRepaired(RedisDefect.OPEN_WITH_TTL);
        raw(commands -> commands.pexpire(key("unknown"), Duration.ofMinutes(5).toMillis()));
        assertRepaired(RedisDefect.OPEN_WITH_TTL);

        assertThat(endOf("running")).isEqualTo(-1);
        assertThat(endOf("unknown")).isEqualTo(-1);
        assertThat(settle(running, completed("paid"))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    void a_record_in_progress_returns_to_the_index_of_leases() {
        granted("k");
        loseFrom(":leases", "k");

        assertRepaired(RedisDefect.MISSING_FROM_INDEX);

        expireLeases();
        assertThat(sweep(10))
                .singleElement()
                .satisfies(swept -> assertThat(swept.state()).isEqualTo(State.UNKNOWN));
    }

    @Test
    void a_record_in_progress_with_a_wrong_time_in_the_index_is_corrected() {
        granted("k");
        raw(commands -> commands.zadd(index("k", ":leases"), 9e15, Layout.member(id("k"))));

        assertRepaired(RedisDefect.MISSING_FROM_INDEX);

        expireLeases();
        assertThat(sweep(10)).hasSize(1);
    }

    @Test
    void an_unknown_record_returns_to_the_index_of_due_records() {
        settle(granted("k"), unknown());
        loseFrom(":due:" + OPERATION, "k");
        assertThat(store().due(OPERATION, 10, HOLD)).isEmpty();

        assertRepaired(RedisDefect.MISSING_FROM_DUE_INDEX);

        assertThat(store().due(OPERATION, 10, HOLD)).hasSize(1);
    }

    @Test
    void an_unknown_record_returns_to_the_list_of_unknown_records() {
        settle(granted("k"), unknown());
        loseFrom(":unknown", "k");
        assertThat(store().listUnknown(UnknownFilter.ALL, 10)).isEmpty();

        assertRepaired(RedisDefect.MISSING_FROM_INDEX);

        assertThat(store().listUnknown(UnknownFilter.ALL, 10)).hasSize(1);
    }

    @Test
    void the_ttl_of_an_index_covers_its_records() {
        settle(granted("settled"), completed("paid"));
        long end = endOf("settled");
        raw(commands -> commands.persist(index("settled", ":expiring")));
        assertRepaired(RedisDefect.SETTLED_WITHOUT_TTL);
        assertThat(endOfIndex("settled", ":expiring")).isGreaterThanOrEqualTo(end);

        granted("running");
        raw(commands -> commands.pexpire(
                index("running", ":leases"), Duration.ofMinutes(5).toMillis()));
        assertRepaired(RedisDefect.OPEN_WITH_TTL);
    }

    @Test
    void an_unreadable_record_is_reported_and_not_changed() {
        settle(granted("cut"), completed("paid"));
        settle(granted("other"), completed("paid"));
        byte[] whole = valueOf("cut");
        byte[] cut = Arrays.copyOf(whole, whole.length - 2);
        raw(commands -> commands.set(key("cut"), cut));
        raw(commands -> commands.lpush(key("a list"), new byte[] {1}));
        raw(commands -> commands.set(key("later"), new byte[] {9, 1, 2}));

        RedisRepairReport report = RedisRepair.repair(harness.uri());

        assertThat(report.counts()).containsExactly(Map.entry(RedisDefect.UNREADABLE, 3L));
        assertThat(valueOf("cut")).isEqualTo(cut);
        raw(commands -> commands.del(key("cut"), key("a list"), key("later")));
    }

    @Test
    void examples_contain_no_key() {
        settle(granted("k-secret"), completed("paid"));
        raw(commands -> commands.persist(key("k-secret")));

        RedisRepairReport report = RedisRepair.repair(harness.uri());

        assertThat(report.examples().get(RedisDefect.SETTLED_WITHOUT_TTL))
                .singleElement()
                .asString()
                .isEqualTo(id("k-secret").toString())
                .startsWith("acme key#")
                .doesNotContain("k-secret");
    }

    @Test
    void a_missing_store_is_reported_and_not_created() {
        RedisUri nowhere = harness.uri().withOptions(harness.uri().options().withPrefix("nowhere"));

        assertThatThrownBy(() -> RedisRepair.repair(nowhere))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no store with the prefix nowhere");
        assertThatThrownBy(() -> RedisStore.openExisting(nowhere))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no store with the prefix nowhere");
    }

    /** With more keys than one page of the scan, while other records are written. */
    @Test
    void every_defect_is_repaired_during_traffic() {
        int damaged = 300;
        for (int i = 0; i < damaged; i++) {
            settle(granted("damaged-" + i), i % 2 == 0 ? completed("paid") : unknown());
            byte[] key = key("damaged-" + i);
            raw(
                    i % 2 == 0
                            ? commands -> commands.persist(key)
                            : commands ->
                                    commands.pexpire(key, Duration.ofMinutes(9).toMillis()));
        }
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> traffic = CompletableFuture.supplyAsync(() -> {
            int done = 0;
            while (!over.get()) {
                Lease lease = granted("busy-" + done++);
                assertThat(settle(lease, done % 3 == 0 ? unknown() : completed("paid")))
                        .isInstanceOf(SettleAnswer.Settled.class);
            }
            return done;
        });

        Map<RedisDefect, Long> found = RedisRepair.repair(harness.uri()).counts();
        Map<RedisDefect, Long> left = defects();
        over.set(true);
        int served = traffic.join();

        assertThat(found)
                .containsOnly(
                        Map.entry(RedisDefect.SETTLED_WITHOUT_TTL, damaged / 2L),
                        Map.entry(RedisDefect.OPEN_WITH_TTL, damaged / 2L));
        assertThat(left).isEmpty();
        assertThat(served).isPositive();
    }
}
