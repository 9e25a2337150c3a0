package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every row of the state table, by walking the whole table and comparing the store with {@link Transitions}. */
public interface TransitionTableContract extends StoreVerbs {

    /** How a record is brought to where a row of the table starts. */
    enum Start {
        ABSENT,
        LEASE_LIVE,
        LEASE_EXPIRED,
        LEASE_SWEPT,
        COMPLETED,
        FAILED_RETRYABLE,
        UNKNOWN,
        DEAD_LETTERED,
        COMPLETED_PAST_RETENTION,
        FAILED_PAST_RETENTION,
        MARKED_EXPIRED
    }

    /** One row: a start, and how the record was declared. */
    record Row(Start start, boolean storedReexecutable, String key) {}

    @Test
    @DisplayName("a claim is decided as the state machine says, in every state, for every kind of request")
    default void table_of_claims() {
        for (boolean sameFingerprint : new boolean[] {true, false}) {
            for (boolean reexecutable : new boolean[] {true, false}) {
                for (boolean sameHolder : new boolean[] {true, false}) {
                    String group = sameFingerprint + "-" + reexecutable + "-" + sameHolder + "-";
                    for (Row row : prepared(group)) {
                        Fingerprint fingerprint = sameFingerprint ? FINGERPRINT : OTHER_FINGERPRINT;
                        ClaimRequest request = new ClaimRequest(
                                id(row.key()),
                                "create-payment",
                                fingerprint,
                                LEASE,
                                reexecutable,
                                sameHolder ? "holder-" + row.key() : "another-holder");
                        assertClaim(row, request);
                    }
                }
            }
        }
    }

    private void assertClaim(Row row, ClaimRequest request) {
        @Nullable StoredRecord before = find(row.key()).orElse(null);
        Transitions.ClaimDecision decision = before == null
                ? Transitions.ClaimDecision.GRANT_NEW
                : Transitions.onClaim(before, request, Transitions.Deleted.NONE);
        ClaimAnswer answer = claim(request);
        String what = row + " on " + request;
        switch (decision) {
            case GRANT_NEW, GRANT_AGAIN -> {
                assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Granted.class);
                ClaimAnswer.Granted granted = (ClaimAnswer.Granted) answer;
                assertThat(granted.lease().fence()).as(what).isGreaterThan(before == null ? 0 : before.fence());
                int attempts =
                        decision == Transitions.ClaimDecision.GRANT_NEW || before == null ? 1 : before.attempts() + 1;
                assertThat(granted.attempts()).as(what).isEqualTo(attempts);
                StoredRecord after = record(row.key());
                assertThat(after.state()).as(what).isEqualTo(State.IN_PROGRESS);
                assertThat(after.fingerprint()).as(what).isEqualTo(request.fingerprint());
                assertThat(after.reexecutable()).as(what).isEqualTo(request.reexecutable());
                assertThat(after.holder()).as(what).isEqualTo(request.holder());
            }
            case GRANT_SAME -> {
                assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Granted.class);
                ClaimAnswer.Granted granted = (ClaimAnswer.Granted) answer;
                StoredRecord after = record(row.key());
                assertThat(granted.lease()).as(what).isEqualTo(after.lease());
                assertThat(granted.attempts()).as(what).isEqualTo(after.attempts());
            }
            case BECOME_UNKNOWN, ANSWER_UNKNOWN -> {
                assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Unknown.class);
                assertThat(record(row.key()).state()).as(what).isEqualTo(State.UNKNOWN);
            }
            case ANSWER_MISMATCH -> assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Mismatch.class);
            case ANSWER_RECORDED -> assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Recorded.class);
            case ANSWER_BUSY -> assertThat(answer).as(what).isInstanceOf(ClaimAnswer.Busy.class);
            case ANSWER_TOO_LATE -> assertThat(answer).as(what).isInstanceOf(ClaimAnswer.TooLate.class);
            case ANSWER_TOO_EARLY -> assertThat(answer).as(what).isInstanceOf(ClaimAnswer.TooEarly.class);
        }
    }

    @Test
    @DisplayName("a settlement is accepted or refused as the state machine says, in every state")
    default void table_of_settlements() {
        for (Outcome outcome : List.of(completed("new"), notExecuted(), unknown())) {
            for (boolean byEvidence : new boolean[] {true, false}) {
                String group = outcome.getClass().getSimpleName() + "-" + byEvidence + "-";
                for (Row row : prepared(group)) {
                    assertSettlement(row, outcome, byEvidence);
                }
            }
        }
    }

    private void assertSettlement(Row row, Outcome outcome, boolean byEvidence) {
        @Nullable StoredRecord before = find(row.key()).orElse(null);
        Lease lease = before == null ? new Lease(id(row.key()), 1) : before.lease();
        boolean allowed = before != null
                && (byEvidence
                        ? Transitions.mayReconcile(before, lease, outcome)
                        : Transitions.maySettle(before, lease, outcome));
        SettleAnswer answer = byEvidence ? reconcile(lease, outcome) : settle(lease, outcome);
        String what = (byEvidence ? "evidence of " : "an attempt's ") + outcome + " for " + row;
        if (allowed) {
            assertThat(answer).as(what).isInstanceOf(SettleAnswer.Settled.class);
            assertThat(record(row.key()).state()).as(what).isEqualTo(Transitions.stateOf(outcome));
        } else {
            assertThat(answer).as(what).isInstanceOf(SettleAnswer.Refused.class);
            assertThat(find(row.key()).map(StoredRecord::state).orElse(null))
                    .as(what)
                    .isEqualTo(before == null ? null : before.state());
        }
    }

    @Test
    @DisplayName("a search for evidence goes on or is refused as the state machine says, in every state")
    default void table_of_reschedules() {
        for (int tries : new int[] {0, 1}) {
            for (Reschedule reschedule : List.of(
                    new Reschedule.RetryAfter(tries, HOLD), new Reschedule.DeadLetter(tries), new Reschedule.Reset())) {
                for (Row row : prepared(reschedule.getClass().getSimpleName() + "-" + tries + "-")) {
                    assertRescheduled(row, reschedule);
                }
            }
        }
    }

    private void assertRescheduled(Row row, Reschedule reschedule) {
        @Nullable StoredRecord before = find(row.key()).orElse(null);
        Lease lease = before == null ? new Lease(id(row.key()), 1) : before.lease();
        String what = reschedule + " for " + row;
        if (before != null && Transitions.mayReschedule(before, lease, reschedule)) {
            assertThat(reschedule(lease, reschedule)).as(what).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
            boolean dead = reschedule instanceof Reschedule.DeadLetter;
            assertThat(record(row.key()).isDeadLettered()).as(what).isEqualTo(dead);
        } else {
            assertThat(changingNothing(row.key(), () -> reschedule(lease, reschedule)))
                    .as(what)
                    .isInstanceOf(SettleAnswer.Refused.class);
        }
    }

    @Test
    @DisplayName("a heartbeat and a step are accepted or lost as the state machine says, in every state")
    default void table_of_heartbeats_and_steps() {
        for (Row row : prepared("")) {
            @Nullable StoredRecord before = find(row.key()).orElse(null);
            Lease lease = before == null ? new Lease(id(row.key()), 1) : before.lease();
            if (before != null && Transitions.mayRenew(before, lease)) {
                assertThat(step(lease, "step", response("s"))).as("%s", row).isEqualTo(StepAnswer.RECORDED);
                assertThat(renew(lease)).as("%s", row).isEqualTo(RenewAnswer.RENEWED);
            } else {
                assertThat(changingNothing(row.key(), () -> step(lease, "step", response("s"))))
                        .as("%s", row)
                        .isEqualTo(StepAnswer.LOST);
                assertThat(changingNothing(row.key(), () -> renew(lease)))
                        .as("%s", row)
                        .isEqualTo(RenewAnswer.LOST);
            }
        }
    }

    @Test
    @DisplayName("the sweeper and who asks for evidence find what the state machine says, and leave the rest")
    default void table_of_batches() {
        List<Row> rows = prepared("");
        List<StoredRecord> before = records(rows);
        List<Identity> swept = sweep(1000).stream().map(StoredRecord::identity).toList();
        for (StoredRecord record : before) {
            Transitions.SweepDecision decision = Transitions.onSweep(record);
            StoredRecord after = record(record.identity().key().value());
            assertThat(swept.contains(record.identity()))
                    .as("%s swept", record)
                    .isEqualTo(decision != Transitions.SweepDecision.LEAVE);
            if (decision == Transitions.SweepDecision.LEAVE) {
                assertThat(still(after)).isEqualTo(still(record));
            } else {
                boolean gaveUp = decision == Transitions.SweepDecision.GIVE_UP;
                assertThat(after.state()).as("%s swept", record).isEqualTo(gaveUp ? State.UNKNOWN : State.IN_PROGRESS);
            }
        }
        List<StoredRecord> beforeTaking = records(rows);
        List<Identity> taken = due(1000).stream().map(StoredRecord::identity).toList();
        for (StoredRecord record : beforeTaking) {
            StoredRecord after = record(record.identity().key().value());
            boolean due = Transitions.isDue(record);
            assertThat(taken.contains(record.identity())).as("%s taken", record).isEqualTo(due);
            if (!due) {
                assertThat(still(after)).isEqualTo(still(record));
            }
        }
    }

    private List<StoredRecord> records(List<Row> rows) {
        return rows.stream().flatMap(row -> find(row.key()).stream()).toList();
    }

    /** Makes one record for each start and each declaration, and lets time pass so that all are where they should be. */
    private List<Row> prepared(String group) {
        List<Row> rows = new ArrayList<>();
        for (Start start : Start.values()) {
            for (boolean stored : new boolean[] {true, false}) {
                rows.add(new Row(start, stored, group + start + "-" + stored));
            }
        }
        forEach(rows, List.of(Start.MARKED_EXPIRED), row -> settle(first(row), completed("old")));
        expireRetention();
        prune(1000, Expiry.MARK);
        forEach(rows, List.of(Start.COMPLETED_PAST_RETENTION), row -> settle(first(row), completed("old")));
        forEach(rows, List.of(Start.FAILED_PAST_RETENTION), row -> settle(first(row), notExecuted()));
        expireRetention();
        forEach(rows, List.of(Start.LEASE_SWEPT), this::first);
        expireLeases();
        sweep(1000);
        forEach(rows, List.of(Start.LEASE_EXPIRED), this::first);
        expireLeases();
        forEach(rows, List.of(Start.COMPLETED), row -> settle(first(row), completed("old")));
        forEach(rows, List.of(Start.FAILED_RETRYABLE), row -> settle(first(row), notExecuted()));
        forEach(rows, List.of(Start.UNKNOWN), row -> settle(first(row), unknown()));
        forEach(rows, List.of(Start.DEAD_LETTERED), row -> {
            Lease lease = first(row);
            settle(lease, unknown());
            reschedule(lease, new Reschedule.DeadLetter(0));
        });
        forEach(rows, List.of(Start.LEASE_LIVE), this::first);
        return rows;
    }

    private static void forEach(List<Row> rows, List<Start> starts, Consumer<Row> action) {
        rows.stream().filter(row -> starts.contains(row.start())).forEach(action);
    }

    private Lease first(Row row) {
        return granted(new ClaimRequest(
                id(row.key()), "create-payment", FINGERPRINT, LEASE, row.storedReexecutable(), "holder-" + row.key()));
    }
}
