package dev.semel.redis.tiered;

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
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
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

/** Which records are copied to Redis and when, and how long copies are used. */
@DisplayName("Redis in front of a primary store: copies")
class TieredFillTest {

    private static RedisServer server;

    private final ManualTime time = new ManualTime();
    private final FaultyStore primary = new FaultyStore(new MemoryStore(time));
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
        store = redis.over(primary, time::nanos);
        another = redis.over(primary, time::nanos);
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

    /** Waits until writes that the store has sent before have arrived: they use the same connection. */
    private void awaitWrites() {
        await(store.claim(request("another")));
    }

    private StoredRecord replayedByRedis(String key) {
        primary.down();
        StoredRecord replayed = ((ClaimAnswer.Recorded) await(another.claim(request(key)))).record();
        primary.up();
        return replayed;
    }

    private void assertSameAsPrimary(String key) {
        StoredRecord replayed = replayedByRedis(key);
        StoredRecord stored = await(primary.find(id(key))).orElseThrow();
        assertThat(Changes.asOf(replayed, stored.times().asOf())).isEqualTo(stored);
    }

    @Test
    @DisplayName("a completed record is replayed from Redis with every field of the primary store's record")
    void faithful() {
        complete("k");
        assertSameAsPrimary("k");
    }

    @Test
    @DisplayName("so is the late answer to an unknown outcome, with its evidence")
    void faithful_late_answer() {
        Lease lease = granted(request("k"));
        settle(lease, unknown());
        settle(lease, completed("late"));
        redis.awaitCopy(id("k"));
        assertSameAsPrimary("k");
        assertThat(replayedByRedis("k").evidence()).isNotNull();
    }

    @Test
    @DisplayName("so is an unknown outcome that a reconciler has settled")
    void faithful_reconciliation() {
        settle(granted(request("k")), unknown());
        StoredRecord taken =
                another.due(StoreVerbs.OPERATION, 10, StoreVerbs.HOLD).get(0);
        another.reconcile(taken.lease(), completed("found"), StoreVerbs.EVIDENCE, StoreVerbs.RETENTION);
        redis.awaitCopy(id("k"));
        assertSameAsPrimary("k");
        assertThat(replayedByRedis("k").evidence()).isEqualTo(StoreVerbs.EVIDENCE);
    }

    @Test
    @DisplayName("an attempt that took over in doubt is copied at its first replay")
    void doubtful() {
        granted(reexecutable("k"));
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        Lease second = granted(reexecutable("k"));
        await(store.step(second, "charge", response("charged")));
        settle(second, completed("done"));
        awaitWrites();
        assertThat(redis.has(id("k"))).isFalse();
        await(store.claim(request("k")));
        redis.awaitCopy(id("k"));
        assertSameAsPrimary("k");
    }

    @Test
    @DisplayName("records in progress, released and unknown records are not copied")
    void not_completed() {
        granted(request("running"));
        settle(granted(request("released")), notExecuted());
        settle(granted(request("unknown")), unknown());
        await(store.claim(request("running")));
        await(store.claim(request("unknown")));
        awaitWrites();
        assertThat(redis.has(id("running"))).isFalse();
        assertThat(redis.has(id("released"))).isFalse();
        assertThat(redis.has(id("unknown"))).isFalse();
    }

    @Test
    @DisplayName("a completion that the primary store has not confirmed is not copied, whether it was written or not")
    void unconfirmed() {
        for (FaultyStore.Fault fault : FaultyStore.Fault.values()) {
            Lease lease = granted(request(fault.name()));
            primary.failNext(FaultyStore.Verb.SETTLE, fault);
            assertThat(catchThrowable(() -> settle(lease, completed("done")))).isNotNull();
            awaitWrites();
            assertThat(redis.has(id(fault.name()))).isFalse();
            // The engine retries: the primary store confirms it, or answers that it is recorded.
            settle(lease, completed("done"));
            redis.awaitCopy(id(fault.name()));
            assertSameAsPrimary(fault.name());
        }
    }

    @Test
    @DisplayName("the secret that seals copies is not copied")
    void secret() {
        ClaimRequest request = new ClaimRequest(
                TierSecret.IDENTITY,
                TierSecret.OPERATION,
                TierSecret.FINGERPRINT,
                StoreVerbs.LEASE,
                true,
                "a tier above");
        assertThat(await(store.claim(request))).isInstanceOf(ClaimAnswer.Recorded.class);
        awaitWrites();
        assertThat(redis.has(TierSecret.IDENTITY)).isFalse();
    }

    @Test
    @DisplayName("a settlement that lost its lease is not copied")
    void lost_lease() {
        Lease first = granted(reexecutable("k"));
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        granted(reexecutable("k"));
        settle(first, completed("too late"));
        awaitWrites();
        assertThat(redis.has(id("k"))).isFalse();
    }

    @Test
    @DisplayName("the TTL of a copy ends before its record's retention, and is at most a day")
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
    @DisplayName("a valid copy that is restored after its record's retention is not used by any process")
    void restored() {
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
    @DisplayName("a copy is used until shortly before its record's retention ends")
    void used_until() {
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
    @DisplayName("a clock of the primary store that is set forward takes effect with its first answer")
    void primary_clock_set_forward() {
        ManualTime primaryTime = new ManualTime();
        try (MemoryStore moved = new MemoryStore(primaryTime);
                TieredStore tiered = redis.over(moved, () -> 0)) {
            Lease lease = ((ClaimAnswer.Granted) await(tiered.claim(request("set")))).lease();
            await(tiered.settle(lease, completed("done"), StoreVerbs.RETENTION));
            redis.put(id("set"), redis.awaitCopy(id("set")));
            primaryTime.advance(StoreVerbs.RETENTION);
            await(tiered.claim(request("another")));
            assertThat(await(tiered.claim(request("set")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    @DisplayName("a response that is too large is not copied")
    void too_large() {
        settle(granted(request("large")), new Outcome.Completed(Response.of(new byte[Copies.MAX_COPY_BYTES])));
        settle(granted(request("fits")), new Outcome.Completed(Response.of(new byte[Copies.MAX_COPY_BYTES - 1000])));
        redis.awaitCopy(id("fits"));
        assertThat(redis.has(id("large"))).isFalse();
        assertSameAsPrimary("fits");
        assertThat(await(another.claim(request("large")))).isInstanceOf(ClaimAnswer.Recorded.class);
    }
}
