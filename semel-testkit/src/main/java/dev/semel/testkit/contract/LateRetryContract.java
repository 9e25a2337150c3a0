package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Operation.LateRetries;
import dev.semel.Retention.Expiry;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.testkit.StoreHarness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract about retries that come after the retention: no interleaving of pruning, steps of the clock and late claims executes
 * a second time, where the key carries its time or the store keeps tombstones.
 */
public abstract class LateRetryContract implements StoreVerbs {

    private static final System.Logger LOG = System.getLogger("dev.semel.testkit");

    /** Longer than any test moves the clock. */
    private static final Duration TOMBSTONES = Duration.ofDays(3_650);

    /** Says how many random schedules each test runs, for runs that may take longer. */
    private static final String SCHEDULES_PROPERTY = "semel.schedules";

    private static final int SCHEDULES = 200;

    /** Records of earlier schedules stay in the store: few enough that pruning finds its own. */
    private static final int MOST_PER_STORE = 400;

    /** So many keys share a clock: their claims form batches, and race with deletions of each other's records. */
    private static final int KEYS_TOGETHER = 20;

    /** In long runs, which would take too long with a round trip for a few keys. */
    private static final int MOST_KEYS_TOGETHER = 100;

    private @Nullable StoreHarness harness;

    /** Opens an empty store that keeps tombstones for so long; zero for none. */
    protected abstract StoreHarness open(Duration tombstones) throws Exception;

    /** How many random schedules a test runs. */
    protected int schedules() {
        return Integer.getInteger(SCHEDULES_PROPERTY, SCHEDULES);
    }

    @AfterEach
    final void closeHarness() {
        if (harness != null) {
            harness.close();
        }
    }

    @Override
    public final StoreHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("the test has not opened the store yet");
        }
        return harness;
    }

    /** Opens a store for the test. */
    protected final void with(Duration tombstones) throws Exception {
        harness = open(tombstones);
    }

    /** The time by the store's clock. */
    protected final Instant now() {
        return ((ClaimAnswer.Granted) claim(StoreVerbs.request("probe-" + UUID.randomUUID())))
                .record()
                .times()
                .createdAt();
    }

    /** A claim of a key of this time. */
    protected static ClaimRequest timed(String key, Instant time) {
        return StoreVerbs.request(key).withFirstUse(FirstUse.of(time, RETENTION, LateRetries.BY_KEY));
    }

    /** A claim of a key without a time. */
    protected static ClaimRequest untimed(String key, LateRetries policy) {
        return StoreVerbs.request(key).withFirstUse(FirstUse.of(null, RETENTION, policy));
    }

    @Test
    @DisplayName("a key that carries its time is refused when its retention has passed, whatever is left of its record")
    void late_timed() throws Exception {
        with(Duration.ZERO);
        Instant time = now();
        settle(granted(timed("row", time)), StoreVerbs.completed("done"));
        settle(granted(timed("marked", time)), StoreVerbs.completed("done"));
        assertThat(claim(timed("row", time))).isInstanceOf(ClaimAnswer.Recorded.class);
        expireRetention();
        prune(100, Expiry.MARK);
        settle(granted(timed("deleted", now())), StoreVerbs.completed("done"));
        assertThat(changingNothing("row", () -> claim(timed("row", time)))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(changingNothing("marked", () -> claim(timed("marked", time))))
                .isInstanceOf(ClaimAnswer.TooLate.class);
        prune(100, Expiry.DELETE);
        assertThat(changingNothing("row", () -> claim(timed("row", time)))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(changingNothing("never", () -> claim(timed("never", time)))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(find("never")).isEmpty();
    }

    @Test
    @DisplayName(
            "a key that carries its time is granted until its retention ends, less the tolerance, and not after it")
    void late_timed_window() throws Exception {
        with(Duration.ZERO);
        Instant now = now();
        Duration tolerance = FirstUse.toleranceOf(RETENTION);
        Duration last = RETENTION.minus(tolerance);
        granted(timed("youngest", now.plus(tolerance)));
        granted(timed("oldest", now.minus(last).plusSeconds(30)));
        assertThat(claim(timed("late", now.minus(last)))).isInstanceOf(ClaimAnswer.TooLate.class);
        assertThat(claim(timed("early", now.plus(tolerance).plusSeconds(60)))).isInstanceOf(ClaimAnswer.TooEarly.class);
        assertThat(find("early")).isEmpty();
        harness().elapse(Duration.ofSeconds(60));
        granted(timed("early", now.plus(tolerance).plusSeconds(60)));
    }

    @Test
    @DisplayName("a live record answers a claim, whatever the time of its key")
    void late_timed_live() throws Exception {
        with(Duration.ZERO);
        Instant time = now();
        granted(timed("running", time));
        settle(granted(timed("unknown", time)), StoreVerbs.unknown());
        harness().elapse(RETENTION.multipliedBy(2));
        assertThat(claim(timed("running", time))).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(claim(timed("unknown", time))).isInstanceOf(ClaimAnswer.Unknown.class);
        Lease lease = granted("long");
        settle(lease, StoreVerbs.completed("done"), RETENTION.multipliedBy(5));
        assertThat(claim(timed("long", time))).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(claim(timed("long", time).withFingerprint(OTHER_FINGERPRINT)))
                .isInstanceOf(ClaimAnswer.Mismatch.class);
    }

    @Test
    @DisplayName("a clock that is set back after pruning makes no used key fresh")
    void late_clock_back() throws Exception {
        with(Duration.ZERO);
        Instant time = now();
        settle(granted(timed("deleted", time)), StoreVerbs.completed("done"));
        harness().elapse(RETENTION.multipliedBy(2));
        prune(100, Expiry.DELETE);
        harness().elapse(RETENTION.multipliedBy(-2));
        // A copy in front of the store may still be there, and be replayed.
        assertThat(claim(timed("deleted", time)))
                .isInstanceOfAny(ClaimAnswer.TooLate.class, ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("a clock that is set back between claim and settlement does not end a record before its key is late")
    void late_clock_back_before_settlement() throws Exception {
        with(Duration.ZERO);
        harness().elapse(Duration.ofHours(3));
        Instant time = now();
        Lease lease = granted(timed("k", time));
        Lease unknown = granted(timed("u", time));
        harness().elapse(Duration.ofHours(-3));
        settle(lease, StoreVerbs.completed("done"));
        settle(unknown, StoreVerbs.unknown());
        reconcile(unknown, StoreVerbs.completed("done"));
        harness().elapse(RETENTION.plusMinutes(1));
        prune(100, Expiry.DELETE);
        for (String key : List.of("k", "u")) {
            assertThat(claim(timed(key, time))).as(key).isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }

    @Test
    @DisplayName("many claims at once, with a time and without, each get their own answer")
    void late_together() throws Exception {
        with(Duration.ZERO);
        Instant now = now();
        List<ClaimRequest> requests = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            requests.add(
                    switch (i % 4) {
                        case 0 -> timed("k" + i, now);
                        case 1 -> timed("k" + i, now.minus(RETENTION.multipliedBy(2)));
                        case 2 -> timed("k" + i, now.plus(RETENTION));
                        default -> StoreVerbs.request("k" + i);
                    });
        }
        List<ClaimAnswer> answers = requests.stream().map(store()::claim).toList().stream()
                .map(StoreVerbs::await)
                .toList();
        for (int i = 0; i < 40; i++) {
            assertThat(answers.get(i))
                    .as("k" + i)
                    .isInstanceOf(
                            i % 4 == 1
                                    ? ClaimAnswer.TooLate.class
                                    : i % 4 == 2 ? ClaimAnswer.TooEarly.class : ClaimAnswer.Granted.class);
            assertThat(find("k" + i).isPresent()).as("k" + i).isEqualTo(i % 4 == 0 || i % 4 == 3);
        }
    }

    @Test
    @DisplayName(
            "a key without a time is executed again after its retention, or refused for as long as its record is there")
    void late_untimed() throws Exception {
        with(Duration.ZERO);
        for (String key : List.of("by-key", "refuse", "forgotten")) {
            Lease lease = granted(key);
            settle(lease, StoreVerbs.completed("done"));
            if (key.equals("forgotten")) {
                store().forget(lease, EVIDENCE);
            }
        }
        assertThat(claim(untimed("forgotten", LateRetries.REFUSE))).isInstanceOf(ClaimAnswer.Granted.class);
        expireRetention();
        assertThat(claim(untimed("by-key", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(claim(untimed("refuse", LateRetries.REFUSE))).isInstanceOf(ClaimAnswer.TooLate.class);
        prune(100, Expiry.DELETE);
        assertThat(claim(untimed("refuse", LateRetries.REFUSE))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("with tombstones, a key without a time is refused after its retention, before pruning and after it")
    void late_tombstone() throws Exception {
        with(TOMBSTONES);
        for (String key : List.of("completed", "released", "marked")) {
            settle(granted(key), key.equals("released") ? StoreVerbs.notExecuted() : StoreVerbs.completed("done"));
        }
        expireRetention();
        assertLate("completed", "released", "marked");
        prune(2, Expiry.MARK);
        assertLate("completed", "released", "marked");
        prune(100, Expiry.DELETE);
        assertLate("completed", "released", "marked");
        assertThat(claim(untimed("other", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(claim(untimed("third", LateRetries.REFUSE))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    private void assertLate(String... keys) {
        for (String key : keys) {
            for (LateRetries policy : List.of(LateRetries.BY_KEY, LateRetries.REFUSE)) {
                assertThat(changingNothing(key, () -> claim(untimed(key, policy))))
                        .as(key)
                        .isInstanceOf(ClaimAnswer.TooLate.class);
            }
        }
    }

    @Test
    @DisplayName("with tombstones, many claims at once of used keys and of new ones each get their own answer")
    void late_tombstones_together() throws Exception {
        with(TOMBSTONES);
        for (int i = 0; i < 40; i += 2) {
            settle(granted("k" + i), StoreVerbs.completed("done"));
        }
        expireRetention();
        prune(100, Expiry.DELETE);
        List<CompletionStage<ClaimAnswer>> stages = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            stages.add(store().claim(untimed("k" + i, LateRetries.BY_KEY)));
        }
        for (int i = 0; i < 40; i++) {
            assertThat(StoreVerbs.await(stages.get(i)))
                    .as("k" + i)
                    .isInstanceOf(i % 2 == 0 ? ClaimAnswer.TooLate.class : ClaimAnswer.Granted.class);
            assertThat(find("k" + i).isPresent()).as("k" + i).isEqualTo(i % 2 == 1);
        }
    }

    @Test
    @DisplayName("I2: where late retries execute, a tombstone is no obstacle, and the fence rises")
    void late_execute() throws Exception {
        with(TOMBSTONES);
        Lease first = granted("k");
        settle(first, StoreVerbs.completed("done"));
        expireRetention();
        prune(100, Expiry.DELETE);
        Lease second = granted(untimed("k", LateRetries.EXECUTE));
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(claim(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Busy.class);
        settle(second, StoreVerbs.completed("again"));
        assertThat(claim(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Recorded.class);
        expireRetention();
        prune(100, Expiry.DELETE);
        assertLate("k");
    }

    @Test
    @DisplayName("a record that a person has let expire leaves no tombstone")
    void late_forgotten() throws Exception {
        with(TOMBSTONES);
        Lease lease = granted("k");
        settle(lease, StoreVerbs.completed("done"));
        store().forget(lease, EVIDENCE);
        expireRetention();
        prune(100, Expiry.DELETE);
        assertThat(claim(untimed("k", LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("tombstones are kept as long as configured, and pruned in batches")
    void late_tombstones_pruned() throws Exception {
        with(Duration.ofDays(30));
        for (int i = 0; i < 5; i++) {
            settle(granted("k" + i), StoreVerbs.completed("done"));
        }
        expireRetention();
        prune(100, Expiry.DELETE);
        harness().elapse(Duration.ofDays(29));
        prune(100, Expiry.DELETE);
        for (int i = 0; i < 5; i++) {
            assertThat(claim(untimed("k" + i, LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.TooLate.class);
        }
        harness().elapse(Duration.ofDays(2));
        assertThat(prune(2, Expiry.DELETE)).isZero();
        assertThat(prune(2, Expiry.MARK)).isZero();
        assertThat(prune(2, Expiry.DELETE)).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(claim(untimed("k" + i, LateRetries.BY_KEY))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    @DisplayName("while records are pruned, no late claim finds neither record nor tombstone")
    void late_race_with_pruning() throws Exception {
        with(TOMBSTONES);
        int keys = 80;
        for (int i = 0; i < keys; i++) {
            settle(granted("k" + i), StoreVerbs.completed("done"));
        }
        expireRetention();
        AtomicBoolean pruning = new AtomicBoolean(true);
        CyclicBarrier start = new CyclicBarrier(4);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> claimers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int first = t * keys / 3;
                claimers.add(threads.submit((Callable<Void>) () -> {
                    start.await();
                    for (int i = first; pruning.get(); i++) {
                        String key = "k" + i % keys;
                        assertThat(claim(untimed(key, LateRetries.BY_KEY)))
                                .as(key)
                                .isInstanceOf(ClaimAnswer.TooLate.class);
                    }
                    return null;
                }));
            }
            start.await();
            int pruned = 0;
            while (pruned < keys) {
                pruned += harness().another().prune(1, Expiry.DELETE);
            }
            pruning.set(false);
            for (Future<?> claimer : claimers) {
                claimer.get();
            }
        } finally {
            pruning.set(false);
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("I1: random schedules with keys that carry their time execute nothing twice")
    void late_schedules_timed() throws Exception {
        assertThat(schedules(true, Duration.ZERO))
                .containsKeys(
                        LateSchedule.Answer.GRANTED,
                        LateSchedule.Answer.RECORDED,
                        LateSchedule.Answer.TOO_LATE,
                        LateSchedule.Answer.TOO_EARLY);
    }

    @Test
    @DisplayName("I1: random schedules with tombstones execute nothing twice")
    void late_schedules_tombstones() throws Exception {
        assertThat(schedules(false, TOMBSTONES))
                .containsKeys(LateSchedule.Answer.GRANTED, LateSchedule.Answer.RECORDED, LateSchedule.Answer.TOO_LATE);
    }

    private Map<LateSchedule.Answer, Integer> schedules(boolean timed, Duration tombstones) throws Exception {
        Map<LateSchedule.Answer, Integer> all = new EnumMap<>(LateSchedule.Answer.class);
        int wanted = schedules();
        int together = Math.min(MOST_KEYS_TOGETHER, Math.max(KEYS_TOGETHER, wanted / 1_000));
        for (int first = 0; first < wanted; first += together) {
            if (first % MOST_PER_STORE == 0) {
                closeHarness();
                with(tombstones);
            }
            LateSchedule.run(harness(), timed, first + 1, Math.min(together, wanted - first))
                    .forEach((answer, n) -> all.merge(answer, n, Integer::sum));
        }
        LOG.log(
                System.Logger.Level.INFO,
                wanted + " random schedules, " + (timed ? "timed keys" : "tombstones") + ": " + all);
        return all;
    }
}
