package dev.semel.redis;

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
import dev.semel.reconcile.UnknownFilter;
import dev.semel.spi.SettleAnswer;
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

/** What somebody can break past the store, and what repairing makes of it. */
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
        return RedisStore.bytes(new String(root, StandardCharsets.US_ASCII) + name);
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

    private Map<RedisDefect, Long> look() {
        return harness.repaired(false).counts();
    }

    /** Mends this, and nothing is wrong after it. */
    private void assertMended(RedisDefect... defects) {
        Map<RedisDefect, Long> found = look();
        assertThat(found)
                .containsOnlyKeys(defects)
                .allSatisfy((defect, count) -> assertThat(count).isEqualTo(1));
        RedisRepairReport report = harness.repaired(true);
        assertThat(report.counts()).isEqualTo(found);
        assertThat(report.examples().keySet()).isEqualTo(found.keySet());
        assertThat(look()).isEmpty();
    }

    private byte[] valueOf(String key) {
        return raw(commands -> commands.get(key(key)));
    }

    @Test
    void nothing_is_wrong_with_what_the_store_does() {
        settle(granted("completed"), completed("paid"));
        settle(granted("retryable"), notExecuted());
        settle(granted("unknown"), unknown());
        granted("running");
        granted(StoreVerbs.reexecutable("offered"));
        expireLeases();
        sweep(10);
        granted("running too");

        RedisRepairReport report = RedisRepair.look(harness.uri());

        assertThat(report.isClean()).isTrue();
        assertThat(report.looked()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void a_settled_record_without_an_end_gets_the_one_it_should_have() {
        settle(granted("k"), completed("paid"));
        long end = endOf("k");
        byte[] before = valueOf("k");
        raw(commands -> commands.persist(key("k")));

        assertMended(RedisDefect.HAS_NO_END);

        assertThat(endOf("k")).isEqualTo(end);
        assertThat(valueOf("k")).isEqualTo(before);
    }

    @Test
    void a_settled_record_that_lost_its_end_long_ago_is_left_to_pruning() {
        settle(granted("k"), completed("paid"));
        raw(commands -> commands.persist(key("k")));
        loseFrom(":expiring", "k");
        harness.elapse(RETENTION.plusDays(2));

        assertMended(RedisDefect.HAS_NO_END, RedisDefect.NOT_IN_ITS_INDEX);

        assertThat(record("k").state()).isEqualTo(State.EXPIRED);
        assertThat(store().prune(10, Expiry.MARK)).isEqualTo(1);
        assertThat(look()).isEmpty();
    }

    @Test
    void a_settled_record_that_would_be_forgotten_within_its_retention_is_kept() {
        settle(granted("k"), completed("paid"));
        long end = endOf("k");
        raw(commands -> commands.pexpire(key("k"), Duration.ofMinutes(5).toMillis()));

        assertMended(RedisDefect.ENDS_TOO_SOON);

        assertThat(endOf("k")).isEqualTo(end);
    }

    @Test
    void no_end_comes_nearer() {
        settle(granted("k"), completed("paid"));
        long late = endOf("k") + Duration.ofDays(9).toMillis();
        raw(commands -> commands.pexpireat(key("k"), late));
        loseFrom(":expiring", "k");

        assertMended(RedisDefect.NOT_IN_ITS_INDEX);

        assertThat(endOf("k")).isEqualTo(late);
        assertThat(endOfIndex("k", ":expiring")).isGreaterThanOrEqualTo(late);
    }

    @Test
    void a_marked_record_keeps_the_end_that_it_has_and_gets_one_where_it_has_none() {
        settle(granted("k"), completed("paid"));
        harness.elapse(RETENTION.plusMinutes(1));
        store().prune(10, Expiry.MARK);
        assertThat(look()).isEmpty();
        long late = endOf("k") + Duration.ofDays(300).toMillis();
        raw(commands -> commands.pexpireat(key("k"), late));
        loseFrom(":marked", "k");
        assertMended(RedisDefect.NOT_IN_ITS_INDEX);
        assertThat(endOf("k")).isEqualTo(late);

        raw(commands -> commands.persist(key("k")));
        assertMended(RedisDefect.HAS_NO_END);
        assertThat(endOf("k")).isPositive();
    }

    @Test
    void an_open_record_that_redis_would_forget_is_kept() {
        Lease running = granted("running");
        settle(granted("unknown"), unknown());
        raw(commands -> commands.pexpire(key("running"), Duration.ofMinutes(5).toMillis()));
        assertMended(RedisDefect.ENDS_BUT_IS_OPEN);
        raw(commands -> commands.pexpire(key("unknown"), Duration.ofMinutes(5).toMillis()));
        assertMended(RedisDefect.ENDS_BUT_IS_OPEN);

        assertThat(endOf("running")).isEqualTo(-1);
        assertThat(endOf("unknown")).isEqualTo(-1);
        assertThat(settle(running, completed("paid"))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    void an_attempt_that_the_sweeper_would_not_find_is_found_again() {
        granted("k");
        loseFrom(":leases", "k");

        assertMended(RedisDefect.NOT_IN_ITS_INDEX);

        expireLeases();
        assertThat(sweep(10))
                .singleElement()
                .satisfies(swept -> assertThat(swept.state()).isEqualTo(State.UNKNOWN));
    }

    @Test
    void an_attempt_that_the_sweeper_would_find_too_late_is_put_into_its_place() {
        granted("k");
        raw(commands -> commands.zadd(index("k", ":leases"), 9e15, Layout.member(id("k"))));

        assertMended(RedisDefect.NOT_IN_ITS_INDEX);

        expireLeases();
        assertThat(sweep(10)).hasSize(1);
    }

    @Test
    void an_unknown_outcome_that_nobody_would_ask_about_is_asked_about() {
        settle(granted("k"), unknown());
        loseFrom(":due:" + OPERATION, "k");
        assertThat(store().due(OPERATION, 10, HOLD)).isEmpty();

        assertMended(RedisDefect.NOBODY_WOULD_ASK);

        assertThat(store().due(OPERATION, 10, HOLD)).hasSize(1);
    }

    @Test
    void an_unknown_outcome_that_nobody_would_see_is_listed() {
        settle(granted("k"), unknown());
        loseFrom(":unknown", "k");
        assertThat(store().listUnknown(UnknownFilter.ALL, 10)).isEmpty();

        assertMended(RedisDefect.NOT_IN_ITS_INDEX);

        assertThat(store().listUnknown(UnknownFilter.ALL, 10)).hasSize(1);
    }

    @Test
    void an_index_ends_with_its_records_and_never_before_them() {
        settle(granted("settled"), completed("paid"));
        long end = endOf("settled");
        raw(commands -> commands.persist(index("settled", ":expiring")));
        assertMended(RedisDefect.HAS_NO_END);
        assertThat(endOfIndex("settled", ":expiring")).isGreaterThanOrEqualTo(end);

        granted("running");
        raw(commands -> commands.pexpire(
                index("running", ":leases"), Duration.ofMinutes(5).toMillis()));
        assertMended(RedisDefect.ENDS_BUT_IS_OPEN);
    }

    @Test
    void what_cannot_be_read_is_told_and_left_as_it_is() {
        settle(granted("cut"), completed("paid"));
        settle(granted("other"), completed("paid"));
        byte[] whole = valueOf("cut");
        byte[] cut = Arrays.copyOf(whole, whole.length - 2);
        raw(commands -> commands.set(key("cut"), cut));
        raw(commands -> commands.lpush(key("a list"), new byte[] {1}));
        raw(commands -> commands.set(key("later"), new byte[] {9, 1, 2}));

        RedisRepairReport report = RedisRepair.mend(harness.uri());

        assertThat(report.counts()).containsExactly(Map.entry(RedisDefect.UNREADABLE, 3L));
        assertThat(valueOf("cut")).isEqualTo(cut);
        raw(commands -> commands.del(key("cut"), key("a list"), key("later")));
    }

    @Test
    void examples_show_no_key() {
        settle(granted("k-secret"), completed("paid"));
        raw(commands -> commands.persist(key("k-secret")));

        RedisRepairReport report = RedisRepair.mend(harness.uri());

        assertThat(report.examples().get(RedisDefect.HAS_NO_END))
                .singleElement()
                .asString()
                .isEqualTo(id("k-secret").toString())
                .startsWith("acme key#")
                .doesNotContain("k-secret");
    }

    @Test
    void where_there_is_no_store_there_is_none_afterwards() {
        RedisUri nowhere = harness.uri().withOptions(harness.uri().options().withPrefix("nowhere"));

        assertThatThrownBy(() -> RedisRepair.mend(nowhere))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no store with the prefix nowhere");
        assertThatThrownBy(() -> RedisStore.openExisting(nowhere))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no store with the prefix nowhere");
    }

    /** More keys than one step of the walk, and each broken record mended once, while others come and go. */
    @Test
    void everything_broken_is_mended_while_traffic_runs() {
        int broken = 300;
        for (int i = 0; i < broken; i++) {
            settle(granted("broken-" + i), i % 2 == 0 ? completed("paid") : unknown());
            byte[] key = key("broken-" + i);
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

        Map<RedisDefect, Long> found = RedisRepair.mend(harness.uri()).counts();
        Map<RedisDefect, Long> left = look();
        over.set(true);
        int served = traffic.join();

        assertThat(found)
                .containsOnly(
                        Map.entry(RedisDefect.HAS_NO_END, broken / 2L),
                        Map.entry(RedisDefect.ENDS_BUT_IS_OPEN, broken / 2L));
        assertThat(left).isEmpty();
        assertThat(served).isPositive();
    }
}
