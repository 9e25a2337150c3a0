package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a recorded claim says of its record")
class RecordingTest extends NearFixture {

    private static final Duration STEP = Duration.ofNanos(Context.STORE_CLOCK_STEP_NANOS);
    private static final Duration RETENTION = CHARGE.retention();
    private static final Duration HOUR = Duration.ofHours(1);

    private static Claim.Recording recordingIn(Claim claim) {
        return ((Claim.Recorded) claim).recording();
    }

    private Claim.Recording fromStore() {
        return recordingIn(semel.begin(intent(CHARGE)));
    }

    private Claim.Recording fromMemory() {
        Claim.Recording[] found = new Claim.Recording[1];
        assertThat(roundTripsOf(() -> found[0] = recordingIn(near.begin(intent(CHARGE)))))
                .isZero();
        return found[0];
    }

    @Test
    void its_age_and_what_is_left_of_its_retention() {
        execute(CHARGE);
        assertThat(fromStore()).isEqualTo(new Claim.Recording("charge", 1, Duration.ZERO, RETENTION));
        time.advance(HOUR);
        assertThat(fromStore()).isEqualTo(new Claim.Recording("charge", 1, HOUR, RETENTION.minus(HOUR)));
    }

    @Test
    void the_same_from_memory_a_step_of_the_stores_clock_early() {
        executeNear();
        assertThat(fromMemory()).isEqualTo(new Claim.Recording("charge", 1, Duration.ZERO, RETENTION.minus(STEP)));
        time.advance(HOUR);
        assertThat(fromMemory())
                .isEqualTo(new Claim.Recording(
                        "charge", 1, HOUR, RETENTION.minus(HOUR).minus(STEP)));
    }

    @Test
    void the_same_from_memory_when_another_process_completed_it() {
        execute(CHARGE);
        time.advance(HOUR);
        near.begin(intent(CHARGE));
        time.advance(HOUR);
        Duration age = HOUR.multipliedBy(2);
        assertThat(fromMemory())
                .isEqualTo(new Claim.Recording(
                        "charge", 1, age, RETENTION.minus(age).minus(STEP)));
    }

    @Test
    void the_age_of_the_completion_not_of_the_claim() {
        RunningAttempt attempt = ((Claim.Granted) near.begin(intent(CHARGE))).attempt();
        time.advance(LEASE.dividedBy(2));
        attempt.settle(new Outcome.Completed(Response.of(new byte[] {7})));
        time.advance(HOUR);
        assertThat(fromStore().age()).isEqualTo(HOUR);
        assertThat(fromMemory().age()).isEqualTo(HOUR);
    }

    @Test
    void the_operation_and_the_fence_of_the_attempt_that_completed() {
        ((Claim.Granted) semel.begin(intent(CHARGE))).attempt().settle(new Outcome.NotExecuted("full"));
        executeNear();
        Operation other = Operation.named("refund").lease(LEASE);
        assertThat(recordingIn(semel.begin(intent(other))))
                .isEqualTo(new Claim.Recording("charge", 2, Duration.ZERO, RETENTION));
        assertThat(recordingIn(near.begin(intent(other))).operation()).isEqualTo("charge");
    }

    @Test
    void the_age_of_the_evidence_where_the_outcome_was_unknown() {
        ((Claim.Granted) near.begin(intent(CHARGE))).attempt().settle(new Outcome.Unknown("timeout"));
        time.advance(HOUR);
        near.settle(CHARGE, ID, new Verdict.Happened(Response.of(new byte[] {7}), "found"), "test");
        time.advance(HOUR);
        assertThat(fromStore().age()).isEqualTo(HOUR);
        assertThat(fromMemory().age()).isEqualTo(HOUR);
    }
}
