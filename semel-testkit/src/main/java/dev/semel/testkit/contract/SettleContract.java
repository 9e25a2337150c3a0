package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How an attempt ends. */
public interface SettleContract extends StoreVerbs {

    @Test
    @DisplayName("completion records the response and starts retention")
    default void settle_completed() {
        assertThat(settle(granted("k"), completed("done"))).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.COMPLETED);
        assertThat(record.response()).isEqualTo(response("done"));
        assertThat(record.times().lockedUntil()).isNull();
        assertThat(record.retentionRemaining()).isPositive().isLessThanOrEqualTo(RETENTION);
        assertThat(record.evidence()).isNull();
    }

    @Test
    @DisplayName("a release records why")
    default void settle_not_executed() {
        assertThat(settle(granted("k"), notExecuted())).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(record.reason()).isEqualTo("declined_before_dispatch");
        assertThat(record.response()).isNull();
        assertThat(record.retentionRemaining()).isPositive();
    }

    @Test
    @DisplayName("an unknown outcome records why, and never expires")
    default void settle_unknown() {
        assertThat(settle(granted("k"), unknown())).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo("timeout");
        assertThat(record.times().expiresAt()).isNull();
        assertThat(record.times().lockedUntil()).isNull();
    }

    @Test
    @DisplayName("I6: the late answer of the same fence completes an unknown record, with itself as evidence")
    default void settle_late_answer() {
        Lease lease = granted("k");
        expireLeases();
        claim("k");
        assertThat(settle(lease, completed("late"))).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.COMPLETED);
        assertThat(record.response()).isEqualTo(response("late"));
        assertThat(record.evidence()).isEqualTo(Transitions.LATE_ANSWER);
        assertThat(record.reason()).isNull();
    }

    @Test
    @DisplayName("an expired lease that was not noticed yet can still be completed")
    default void settle_unnoticed_expiry() {
        Lease lease = granted("k");
        expireLeases();
        assertThat(settle(lease, completed("late"))).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
    }

    @Test
    @DisplayName("I6: an attempt cannot release an unknown record: that takes evidence")
    default void settle_unknown_refuses_release() {
        Lease lease = unknownLease("k");
        assertRefused("k", lease, notExecuted());
        assertRefused("k", lease, unknown());
    }

    @Test
    @DisplayName("I4: nothing that an attempt can say changes a completed record")
    default void settle_completed_is_final() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        for (Outcome outcome : List.of(completed("other"), notExecuted(), unknown())) {
            assertRefused("k", lease, outcome);
        }
    }

    @Test
    @DisplayName("a released record is settled no further by the attempt that released it")
    default void settle_released_is_over() {
        Lease lease = granted("k");
        settle(lease, notExecuted());
        for (Outcome outcome : List.of(completed("other"), notExecuted(), unknown())) {
            assertRefused("k", lease, outcome);
        }
    }

    @Test
    @DisplayName("an expired record is settled no further, and a record that is gone neither")
    default void settle_expired_or_gone() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        expireRetention();
        assertThat(settle(lease, completed("other"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("k").state()).isEqualTo(State.EXPIRED);
        assertThat(settle(new Lease(id("never"), 1), completed("x")))
                .isEqualTo(new SettleAnswer.Refused(Optional.empty()));
        assertThat(renew(new Lease(id("never"), 1))).isEqualTo(RenewAnswer.LOST);
    }

    @Test
    @DisplayName("a refused settlement says what is on record")
    default void settle_refused_shows_current() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        assertThat(settle(lease, completed("other")))
                .asInstanceOf(type(SettleAnswer.Refused.class))
                .satisfies(refused -> assertThat(refused.current()).hasValueSatisfying(current -> {
                    assertThat(current.state()).isEqualTo(State.COMPLETED);
                    assertThat(current.fence()).isEqualTo(lease.fence());
                    assertThat(current.response()).isEqualTo(response("done"));
                }));
    }

    private void assertRefused(String key, Lease lease, Outcome outcome) {
        StoredRecord before = record(key);
        assertThat(settle(lease, outcome))
                .as("%s of %s", outcome, before.state())
                .isInstanceOf(SettleAnswer.Refused.class);
        StoredRecord after = record(key);
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.response()).isEqualTo(before.response());
        assertThat(after.reason()).isEqualTo(before.reason());
        assertThat(after.times().updatedAt()).isEqualTo(before.times().updatedAt());
        assertThat(after.times().expiresAt()).isEqualTo(before.times().expiresAt());
    }
}
