package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.testsupport.stores.CountingStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("waiting for a running attempt")
class WaitingTest extends EngineFixture {

    private static final Operation PATIENT = CHARGE.waitUpTo(Duration.ofSeconds(5));

    private RunningAttempt begun() {
        return ((Claim.Granted) semel.begin(intent(PATIENT))).attempt();
    }

    @Test
    void gets_the_result_when_it_comes_in_time() {
        RunningAttempt first = begun();
        time.after(Duration.ofSeconds(2), () -> first.settle(new Outcome.Completed(Response.of(new byte[] {7}))));
        assertThat(semel.begin(intent(PATIENT))).extracting("response").isEqualTo(Response.of(new byte[] {7}));
    }

    @Test
    void is_refused_when_the_time_is_up_and_not_before() {
        begun();
        long start = time.nanos();
        assertThat(semel.begin(intent(PATIENT))).extracting("why").isInstanceOf(Refusal.InProgress.class);
        assertThat(Duration.ofNanos(time.nanos() - start)).isEqualTo(PATIENT.maxWait());
    }

    @Test
    void executes_when_the_running_attempt_is_released() {
        RunningAttempt first = begun();
        time.after(Duration.ofSeconds(2), () -> first.settle(new Outcome.NotExecuted("full")));
        assertThat(semel.begin(intent(PATIENT))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void learns_that_the_outcome_became_unknown() {
        RunningAttempt first = begun();
        time.after(Duration.ofSeconds(2), () -> first.settle(new Outcome.Unknown("timeout")));
        assertThat(semel.begin(intent(PATIENT))).extracting("why").isInstanceOf(Refusal.OutcomeUnknown.class);
    }

    @Test
    void asks_ever_more_rarely() {
        begun();
        long before = events.size();
        int[] questions = new int[1];
        CountingStore counting = new CountingStore(memory);
        try (SemelEngine counted = SemelEngine.on(counting).timer(time).build()) {
            counted.begin(intent(PATIENT));
            questions[0] = (int) counting.calls();
        }
        assertThat(questions[0]).isBetween(10, 40);
        assertThat(events).hasSize((int) before);
    }

    @Test
    void does_not_hold_a_thread_when_it_is_asynchronous() {
        RunningAttempt first = begun();
        CompletableFuture<Claim> waiting = semel.beginAsync(intent(PATIENT)).toCompletableFuture();
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isNotDone();
        first.settle(new Outcome.Completed(Response.of(new byte[] {7})));
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompletedWithValueMatching(Claim.Recorded.class::isInstance);
        assertThat(waiting.join()).extracting("response").isEqualTo(Response.of(new byte[] {7}));
    }

    @Test
    void an_interrupted_waiter_is_refused_and_stays_interrupted() {
        begun();
        try (SemelEngine real = SemelEngine.on(memory).build()) {
            Thread.currentThread().interrupt();
            assertThat(real.begin(intent(PATIENT))).extracting("why").isInstanceOf(Refusal.InProgress.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(onRecord().state()).isEqualTo(State.IN_PROGRESS);
    }
}
