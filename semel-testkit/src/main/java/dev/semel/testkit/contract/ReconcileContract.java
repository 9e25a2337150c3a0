package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I6: an unknown record is left only with stored evidence. */
public interface ReconcileContract extends StoreVerbs {

    @Test
    @DisplayName("I6: evidence that it happened completes an unknown record")
    default void reconcile_happened() {
        Lease lease = unknownLease("k");
        assertThat(reconcile(lease, completed("found"))).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.COMPLETED);
        assertThat(record.response()).isEqualTo(response("found"));
        assertThat(record.evidence()).isEqualTo(EVIDENCE);
        assertThat(record.retentionRemaining()).isPositive();
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("I6: evidence that it did not happen lets the next request execute, with a higher fence")
    default void reconcile_did_not_happen() {
        Lease lease = unknownLease("k");
        assertThat(reconcile(lease, notExecuted())).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        assertThat(record("k").state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(record("k").evidence()).isEqualTo(EVIDENCE);
        assertThat(granted("k").fence()).isGreaterThan(lease.fence());
        assertThat(settle(lease, completed("too late"))).isInstanceOf(SettleAnswer.Refused.class);
    }

    @Test
    @DisplayName("of a late answer and a verdict, the first one wins and the other is refused")
    default void reconcile_and_late_answer() {
        Lease lease = unknownLease("late-first");
        settle(lease, completed("late"));
        assertThat(reconcile(lease, notExecuted())).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("late-first").response()).isEqualTo(response("late"));

        Lease other = unknownLease("verdict-first");
        reconcile(other, completed("verdict"));
        assertThat(settle(other, completed("late"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("verdict-first").response()).isEqualTo(response("verdict"));
    }

    @Test
    @DisplayName("only an unknown record can be reconciled, and not with another unknown")
    default void reconcile_refused() {
        Lease running = granted("in-progress");
        Lease done = granted("completed");
        settle(done, completed("done"));
        Lease failed = granted("failed");
        settle(failed, notExecuted());
        for (Lease lease : new Lease[] {running, done, failed}) {
            State before = record(lease.identity().key().value()).state();
            assertThat(reconcile(lease, completed("x"))).isInstanceOf(SettleAnswer.Refused.class);
            assertThat(reconcile(lease, notExecuted())).isInstanceOf(SettleAnswer.Refused.class);
            assertThat(record(lease.identity().key().value()).state()).isEqualTo(before);
        }
        Lease unknown = unknownLease("unknown");
        assertThat(reconcile(unknown, StoreVerbs.unknown())).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("unknown").evidence()).isNull();
        assertThat(reconcile(new Lease(id("never"), 1), completed("x")))
                .isEqualTo(new SettleAnswer.Refused(Optional.empty()));
    }
}
