package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a reconciler asks about an unknown outcome, and how often. */
public interface RescheduleContract extends StoreVerbs {

    /** Ends the loop of a store that hands out the same records for ever. */
    int MORE_THAN_ALL = 1000;

    SettleAnswer RESCHEDULED = new SettleAnswer.Settled(State.UNKNOWN);

    /** How the search for evidence about an unknown record goes. */
    default Reconciling reconciling(String key) {
        Reconciling reconciling = record(key).reconciling();
        if (reconciling == null) {
            throw new AssertionError(
                    "no reconciler takes a record that is " + record(key).state());
        }
        return reconciling;
    }

    @Test
    @DisplayName("an outcome is to be asked about as soon as it is unknown, however it became so")
    default void due_at_once() {
        granted("claimed");
        granted("swept");
        expireLeases();
        claim("claimed");
        sweep(10);
        unknownLease("settled");
        assertThat(due(10))
                .extracting(StoredRecord::identity)
                .containsExactlyInAnyOrder(id("claimed"), id("swept"), id("settled"));
    }

    @Test
    @DisplayName("taking a record counts a try and holds it; the rest of the record is as it was")
    default void due_takes() {
        Lease lease = unknownLease("k");
        StoredRecord before = record("k");
        assertThat(reconciling("k"))
                .isEqualTo(new Reconciling(
                        before.times().updatedAt(), 0, before.times().updatedAt()));
        harness().elapse(Duration.ofSeconds(10));
        List<StoredRecord> taken = due(10);
        assertThat(taken).hasSize(1);
        StoredRecord record = record("k");
        assertThat(still(taken.get(0))).isEqualTo(still(record));
        assertThat(record.lease()).isEqualTo(lease);
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo("timeout");
        assertThat(record.evidence()).isNull();
        Reconciling reconciling = reconciling("k");
        assertThat(reconciling.since()).isEqualTo(before.times().updatedAt());
        assertThat(reconciling.tries()).isEqualTo(1);
        assertThat(reconciling.nextTryAt()).isEqualTo(record.times().updatedAt().plus(HOLD));
        assertThat(taken.get(0).unknownFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("I10: a record that was taken is not due again before its hold has passed by the store's clock")
    default void due_hold() {
        unknownLease("k");
        assertThat(due(10)).hasSize(1);
        assertThat(changingNothing("k", () -> due(10))).isEmpty();
        harness().elapse(HOLD.minusSeconds(10));
        assertThat(changingNothing("k", () -> due(10))).isEmpty();
        harness().elapse(Duration.ofSeconds(11));
        assertThat(due(10)).hasSize(1);
        assertThat(reconciling("k").tries()).isEqualTo(2);
        assertThat(due(10)).isEmpty();
    }

    @Test
    @DisplayName("only the records of the operation are taken")
    default void due_operation() {
        settle(granted(of("refund", "r")), StoreVerbs.unknown());
        unknownLease("p");
        assertThat(store().due("refund", 10, HOLD))
                .extracting(StoredRecord::identity)
                .containsExactly(id("r"));
        assertThat(store().due("REFUND", 10, HOLD)).isEmpty();
        assertThat(store().due("%", 10, HOLD)).isEmpty();
        assertThat(reconciling("p").tries()).isZero();
    }

    private static ClaimRequest of(String operation, String key) {
        return new ClaimRequest(
                id(key), operation, FINGERPRINT, LEASE, false, UUID.randomUUID().toString());
    }

    @Test
    @DisplayName("only unknown records are taken")
    default void due_states() {
        granted("live");
        granted("lease-expired");
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        expireLeases();
        granted("fresh");
        assertThat(due(10)).isEmpty();
        assertThat(record("lease-expired").state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    @DisplayName("records are taken in batches, those that are due for longest first")
    default void due_batches() {
        List<Lease> leases = new ArrayList<>();
        for (String key : List.of("e", "d", "c", "b", "a")) {
            leases.add(unknownLease(key));
            harness().elapse(Duration.ofSeconds(1));
        }
        due(10);
        for (int i = 0; i < 5; i++) {
            reschedule(leases.get(i), new Reschedule.RetryAfter(1, Duration.ofMinutes(i == 0 ? 9 : i)));
        }
        harness().elapse(Duration.ofHours(1));
        assertThat(due(0)).isEmpty();
        assertThat(due(2)).extracting(StoredRecord::identity).containsExactlyInAnyOrder(id("d"), id("c"));
        assertThat(due(2)).extracting(StoredRecord::identity).containsExactlyInAnyOrder(id("b"), id("a"));
        assertThat(due(2)).extracting(StoredRecord::identity).containsExactly(id("e"));
        assertThat(due(2)).isEmpty();
    }

    @Test
    @DisplayName("takers at once get every due record, each exactly one of them")
    default void due_race() throws Exception {
        Set<Identity> all = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            all.add(unknownLease("k" + i).identity());
        }
        List<Callable<List<StoredRecord>>> takers = new ArrayList<>();
        for (Store handle :
                List.of(store(), harness().another(), store(), harness().another())) {
            takers.add(() -> takeAll(handle));
        }
        List<Identity> taken = Together.run(takers).stream()
                .flatMap(List::stream)
                .map(StoredRecord::identity)
                .toList();
        assertThat(taken).doesNotHaveDuplicates();
        assertThat(new HashSet<>(taken)).isEqualTo(all);
        assertThat(store().listUnknown(UnknownFilter.ALL, 1000))
                .allSatisfy(record -> assertThat(record.reconciling())
                        .extracting(Reconciling::tries)
                        .isEqualTo(1));
    }

    private static List<StoredRecord> takeAll(Store handle) {
        List<StoredRecord> taken = new ArrayList<>();
        List<StoredRecord> batch;
        do {
            batch = handle.due(OPERATION, 7, HOLD);
            taken.addAll(batch);
        } while (!batch.isEmpty() && taken.size() < MORE_THAN_ALL);
        return taken;
    }

    @Test
    @DisplayName(
            "I10: a reconciler without an answer sets when to ask again, by the store's clock; the tries stay counted")
    default void reschedule_retry() {
        Lease lease = unknownLease("k");
        Instant since = reconciling("k").since();
        due(10);
        harness().elapse(Duration.ofSeconds(10));
        assertThat(reschedule(lease, new Reschedule.RetryAfter(1, Duration.ofHours(2))))
                .isEqualTo(RESCHEDULED);
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo("timeout");
        assertThat(record.evidence()).isNull();
        assertThat(record.reconciling())
                .isEqualTo(new Reconciling(since, 1, record.times().updatedAt().plus(Duration.ofHours(2))));
        harness().elapse(Duration.ofMinutes(119));
        assertThat(due(10)).isEmpty();
        harness().elapse(Duration.ofMinutes(2));
        assertThat(due(10)).hasSize(1);
        assertThat(reconciling("k").tries()).isEqualTo(2);
        assertThat(reconciling("k").since()).isEqualTo(since);
    }

    @Test
    @DisplayName("a dead letter is not due any more; it can still be listed, settled on evidence or answered late")
    default void reschedule_dead_letter() {
        Lease verdict = unknownLease("verdict");
        Lease late = unknownLease("late");
        Instant since = reconciling("late").since();
        due(10);
        harness().elapse(Duration.ofSeconds(10));
        for (Lease lease : List.of(verdict, late)) {
            assertThat(reschedule(lease, new Reschedule.DeadLetter(1))).isEqualTo(RESCHEDULED);
        }
        assertThat(record("late").isDeadLettered()).isTrue();
        assertThat(reconciling("late")).isEqualTo(new Reconciling(since, 1, null));
        harness().elapse(Duration.ofDays(400));
        assertThat(due(10)).isEmpty();
        assertThat(sweep(10)).isEmpty();
        assertThat(claim("late")).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(store().listUnknown(new UnknownFilter(null, true, null), 10)).hasSize(2);
        assertThat(reconcile(verdict, notExecuted())).isEqualTo(RESCHEDULED);
        assertThat(settle(late, completed("late"))).isEqualTo(RESCHEDULED);
        assertThat(record("verdict").reconciling()).isNull();
        assertThat(record("late").reconciling()).isNull();
    }

    @Test
    @DisplayName("an operator can restart the search, dead letter or not: due at once, with no tries counted")
    default void reschedule_reset() {
        Lease dead = unknownLease("dead");
        Lease held = unknownLease("held");
        Instant since = reconciling("dead").since();
        due(10);
        reschedule(dead, new Reschedule.DeadLetter(1));
        harness().elapse(Duration.ofSeconds(10));
        for (Lease lease : List.of(dead, held)) {
            assertThat(reschedule(lease, new Reschedule.Reset())).isEqualTo(RESCHEDULED);
        }
        StoredRecord record = record("dead");
        assertThat(record.reconciling())
                .isEqualTo(new Reconciling(since, 0, record.times().updatedAt()));
        assertThat(record.evidence()).isNull();
        assertThat(due(10)).hasSize(2);
        assertThat(reconciling("held").tries()).isEqualTo(1);
    }

    @Test
    @DisplayName("a reconciler that was overtaken by another try changes nothing")
    default void reschedule_stale_tries() {
        Lease lease = unknownLease("k");
        due(10);
        harness().elapse(HOLD.plusSeconds(1));
        due(10);
        for (int tries : new int[] {0, 1, 3, -1, Integer.MAX_VALUE}) {
            assertRefused(lease, new Reschedule.RetryAfter(tries, Duration.ofHours(1)));
            assertRefused(lease, new Reschedule.DeadLetter(tries));
        }
        assertThat(reschedule(lease, new Reschedule.DeadLetter(2))).isEqualTo(RESCHEDULED);
        assertRefused(lease, new Reschedule.RetryAfter(2, Duration.ofHours(1)));
        assertRefused(lease, new Reschedule.DeadLetter(2));
        reschedule(lease, new Reschedule.Reset());
        assertRefused(lease, new Reschedule.RetryAfter(2, Duration.ofHours(1)));
    }

    @Test
    @DisplayName("I2: a search under another fence than the record's changes nothing")
    default void reschedule_stale_fence() {
        Lease old = unknownLease("k");
        reconcile(old, notExecuted());
        Lease current = unknownLease("k");
        Lease ahead = new Lease(current.identity(), current.fence() + 1);
        for (Lease lease : List.of(old, ahead)) {
            for (Reschedule reschedule : reschedulesOf(0)) {
                assertRefused(lease, reschedule);
            }
        }
    }

    @Test
    @DisplayName("there is no search for records that are not unknown, and the refusal shows what they are")
    default void reschedule_states() {
        Lease live = granted("live");
        Lease done = granted("completed");
        settle(done, completed("done"));
        Lease failed = granted("failed");
        settle(failed, notExecuted());
        Lease settled = unknownLease("settled-on-evidence");
        due(10);
        reconcile(settled, completed("found"));
        for (Lease lease : List.of(live, done, failed, settled)) {
            for (int tries : new int[] {0, 1}) {
                for (Reschedule reschedule : reschedulesOf(tries)) {
                    assertRefused(lease, reschedule);
                }
            }
        }
        for (Reschedule reschedule : reschedulesOf(0)) {
            assertThat(reschedule(new Lease(id("never"), 1), reschedule))
                    .isEqualTo(new SettleAnswer.Refused(Optional.empty()));
        }
        assertThat(find("never")).isEmpty();
    }

    private static List<Reschedule> reschedulesOf(int tries) {
        return List.of(
                new Reschedule.RetryAfter(tries, HOLD), new Reschedule.DeadLetter(tries), new Reschedule.Reset());
    }

    private void assertRefused(Lease lease, Reschedule reschedule) {
        String key = lease.identity().key().value();
        StoredRecord before = record(key);
        assertThat(changingNothing(key, () -> reschedule(lease, reschedule)))
                .as("%s of a record that is %s", reschedule, before.state())
                .asInstanceOf(type(SettleAnswer.Refused.class))
                .satisfies(refused ->
                        assertThat(refused.current().map(StoreVerbs::still)).contains(still(before)));
    }

    @Test
    @DisplayName("an outcome that is unknown once more is searched for anew, with no tries counted")
    default void unknown_again() {
        Lease first = unknownLease("k");
        Instant since = reconciling("k").since();
        due(10);
        reschedule(first, new Reschedule.DeadLetter(1));
        reconcile(first, notExecuted());
        assertThat(record("k").reconciling()).isNull();
        harness().elapse(Duration.ofHours(1));
        Lease second = granted("k");
        assertThat(record("k").reconciling()).isNull();
        settle(second, StoreVerbs.unknown());
        Reconciling again = reconciling("k");
        assertThat(again.tries()).isZero();
        assertThat(again.since()).isAfter(since);
        assertThat(again.nextTryAt()).isEqualTo(again.since());
        assertThat(due(10)).hasSize(1);
        assertRefused(first, new Reschedule.RetryAfter(1, HOLD));
    }

    @Test
    @DisplayName("I6: of a verdict and a dead letter at once, the verdict is never lost")
    default void reschedule_retryst_verdict() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            leases.add(unknownLease("k" + i));
        }
        due(100);
        List<Callable<Integer>> tasks = List.of(
                () -> settledOf(leases, lease -> store().reconcile(lease, completed("found"), EVIDENCE, RETENTION)),
                () -> settledOf(
                        leases,
                        lease -> harness().another().reschedule(lease, new Reschedule.DeadLetter(1), EVIDENCE)));
        assertThat(Together.run(tasks).get(0)).isEqualTo(leases.size());
        for (int i = 0; i < 60; i++) {
            assertThat(record("k" + i).state()).isEqualTo(State.COMPLETED);
            assertThat(record("k" + i).reconciling()).isNull();
        }
    }

    /** What a thread does with each lease. */
    interface Settling {
        SettleAnswer settle(Lease lease);
    }

    private static int settledOf(List<Lease> leases, Settling settling) {
        int settled = 0;
        for (Lease lease : leases) {
            settled += settling.settle(lease) instanceof SettleAnswer.Settled ? 1 : 0;
        }
        return settled;
    }
}
