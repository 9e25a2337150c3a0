package dev.semel.redis;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.RedisServer;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What goes to Redis and when, and how long it is believed. */
@DisplayName("Redis in front of a truth: which copies there are")
class TieredFillTest {

    private static RedisServer server;

    private final ManualTime time = new ManualTime();
    private final FaultyStore truth = new FaultyStore(new MemoryStore(time));
    private FrontRedis redis;
    private TieredStore store;
    private TieredStore another;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        redis = new FrontRedis(server);
        store = redis.over(truth, time::nanos);
        another = redis.over(truth, time::nanos);
    }

    @AfterEach
    void close() {
        store.close();
        another.close();
        redis.close();
    }

    private Lease granted(ClaimRequest request) {
        return ((ClaimAnswer.Granted) await(store.claim(request))).lease();
    }

    private void settle(Lease lease, Outcome outcome) {
        await(store.settle(lease, outcome, StoreVerbs.RETENTION));
    }

    private void complete(String key) {
        settle(granted(request(key)), completed("done"));
        redis.awaitCopy(id(key));
    }

    /** What was posted before this on the store's connection has arrived after it. */
    private void awaitPosted() {
        await(store.claim(request("somebody else's")));
    }

    private StoredRecord replayedByRedis(String key) {
        truth.down();
        StoredRecord replayed = ((ClaimAnswer.Recorded) await(another.claim(request(key)))).record();
        truth.up();
        return replayed;
    }

    private void assertSameAsTruth(String key) {
        StoredRecord replayed = replayedByRedis(key);
        StoredRecord stored = await(truth.find(id(key))).orElseThrow();
        assertThat(Changes.asOf(replayed, stored.times().asOf())).isEqualTo(stored);
    }

    @Test
    @DisplayName("a completed record is replayed by Redis as the truth has it, in every field")
    void faithful() {
        complete("k");
        assertSameAsTruth("k");
    }

    @Test
    @DisplayName("so is the late answer to an unknown outcome, with its evidence")
    void faithful_late_answer() {
        Lease lease = granted(request("k"));
        settle(lease, unknown());
        settle(lease, completed("late"));
        redis.awaitCopy(id("k"));
        assertSameAsTruth("k");
        assertThat(replayedByRedis("k").evidence()).isNotNull();
    }

    @Test
    @DisplayName("so is an outcome that somebody found out, by whoever had taken it up")
    void faithful_reconciliation() {
        settle(granted(request("k")), unknown());
        StoredRecord taken =
                another.due(StoreVerbs.OPERATION, 10, StoreVerbs.HOLD).get(0);
        another.reconcile(taken.lease(), completed("found"), StoreVerbs.EVIDENCE, StoreVerbs.RETENTION);
        redis.awaitCopy(id("k"));
        assertSameAsTruth("k");
        assertThat(replayedByRedis("k").evidence()).isEqualTo(StoreVerbs.EVIDENCE);
    }

    @Test
    @DisplayName("an attempt that took over in doubt is copied when the truth has said what became of the doubt")
    void doubtful() {
        granted(reexecutable("k"));
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        Lease second = granted(reexecutable("k"));
        await(store.step(second, "charge", response("charged")));
        settle(second, completed("done"));
        awaitPosted();
        assertThat(redis.has(id("k"))).isFalse();
        await(store.claim(request("k")));
        redis.awaitCopy(id("k"));
        assertSameAsTruth("k");
    }

    @Test
    @DisplayName("nothing is copied before it is completed, nor what is released or unknown")
    void not_completed() {
        granted(request("running"));
        settle(granted(request("released")), notExecuted());
        settle(granted(request("unknown")), unknown());
        await(store.claim(request("running")));
        await(store.claim(request("unknown")));
        awaitPosted();
        assertThat(redis.has(id("running"))).isFalse();
        assertThat(redis.has(id("released"))).isFalse();
        assertThat(redis.has(id("unknown"))).isFalse();
    }

    @Test
    @DisplayName("a completion that the truth has not confirmed is not copied, whether it was written or not")
    void unconfirmed() {
        for (FaultyStore.Fault fault : FaultyStore.Fault.values()) {
            Lease lease = granted(request(fault.name()));
            truth.failNext(FaultyStore.Verb.SETTLE, fault);
            assertThat(catchThrowable(() -> settle(lease, completed("done")))).isNotNull();
            awaitPosted();
            assertThat(redis.has(id(fault.name()))).isFalse();
            // The engine tries again: the truth confirms it, or says that it is on record.
            settle(lease, completed("done"));
            redis.awaitCopy(id(fault.name()));
            assertSameAsTruth(fault.name());
        }
    }

    @Test
    @DisplayName("the secret that seals copies is not copied itself")
    void secret() {
        ClaimRequest request = new ClaimRequest(
                TierSecret.IDENTITY,
                TierSecret.OPERATION,
                TierSecret.FINGERPRINT,
                StoreVerbs.LEASE,
                true,
                "a tier above");
        assertThat(await(store.claim(request))).isInstanceOf(ClaimAnswer.Recorded.class);
        awaitPosted();
        assertThat(redis.has(TierSecret.IDENTITY)).isFalse();
    }

    @Test
    @DisplayName("a settlement that lost its lease copies nothing of its own")
    void lost_lease() {
        Lease first = granted(reexecutable("k"));
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        granted(reexecutable("k"));
        settle(first, completed("too late"));
        awaitPosted();
        assertThat(redis.has(id("k"))).isFalse();
    }

    @Test
    @DisplayName("a copy ends in Redis before its record does, and after a day at the latest")
    void time_to_live() {
        complete("k");
        assertThat(redis.millisLeft(id("k"))).isPositive().isLessThan(StoreVerbs.RETENTION.toMillis());
        await(store.settle(granted(request("long")), completed("done"), Duration.ofDays(100)));
        redis.awaitCopy(id("long"));
        assertThat(redis.millisLeft(id("long")))
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofDays(1).toMillis());
    }

    @Test
    @DisplayName(
            "an authentic copy that is put back when its record has ended is nothing, whoever has heard of the time")
    void put_back() {
        complete("k");
        byte[] copy = redis.copy(id("k"));
        time.advance(StoreVerbs.RETENTION);
        redis.put(id("k"), copy);
        assertThat(await(another.claim(request("k").withFingerprint(StoreVerbs.OTHER_FINGERPRINT))))
                .isInstanceOf(ClaimAnswer.Granted.class);
        redis.put(id("k"), copy);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Mismatch.class);
        assertThat(store.statistics().hits() + another.statistics().hits()).isZero();
    }

    @Test
    @DisplayName("a copy is believed until shortly before its record ends, and no longer")
    void believed_until() {
        await(store.settle(granted(request("k")), completed("done"), Duration.ofSeconds(100)));
        redis.awaitCopy(id("k"));
        time.advance(Duration.ofMillis(99_800));
        await(store.claim(request("k")));
        assertThat(store.statistics().hits()).isEqualTo(1);
        time.advance(Duration.ofMillis(150));
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(store.statistics().hits()).isEqualTo(1);
    }

    @Test
    @DisplayName("a clock of the truth that was set forward is believed with its first answer")
    void truth_set_forward() {
        ManualTime ofTruth = new ManualTime();
        try (MemoryStore moved = new MemoryStore(ofTruth);
                TieredStore tiered = redis.over(moved, () -> 0)) {
            Lease lease = ((ClaimAnswer.Granted) await(tiered.claim(request("set")))).lease();
            await(tiered.settle(lease, completed("done"), StoreVerbs.RETENTION));
            redis.put(id("set"), redis.awaitCopy(id("set")));
            ofTruth.advance(StoreVerbs.RETENTION);
            await(tiered.claim(request("any other")));
            assertThat(await(tiered.claim(request("set")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    @DisplayName("a response that is too large for Redis stays in the truth")
    void too_large() {
        settle(granted(request("large")), new Outcome.Completed(Response.of(new byte[Copies.LARGEST_BYTES])));
        settle(granted(request("fits")), new Outcome.Completed(Response.of(new byte[Copies.LARGEST_BYTES - 1000])));
        redis.awaitCopy(id("fits"));
        assertThat(redis.has(id("large"))).isFalse();
        assertSameAsTruth("fits");
        assertThat(await(another.claim(request("large")))).isInstanceOf(ClaimAnswer.Recorded.class);
    }
}
