package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.Verdict;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.CountingStore;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("steps")
class StepsTest extends EngineFixture {

    private static final Operation ORDER = CHARGE.reexecutableAfterCrash();
    private static final Duration HORIZON = Duration.ofHours(24);
    private static final Step CHARGED = Step.named("charge");
    private static final Step CHARGED_ONCE = CHARGED.deduplicatedFor(HORIZON);
    private static final Step SHIPPED = Step.named("ship");

    /** What the outside world saw, in order. */
    private final List<String> world = new ArrayList<>();

    private String step(Attempt attempt, Step step) {
        return attempt.step(step, Codec.text(), key -> {
            world.add(step.name());
            return step.name() + " " + world.size();
        });
    }

    private RunningAttempt begun() {
        return begun(semel);
    }

    private static RunningAttempt begun(SemelEngine engine) {
        return ((Claim.Granted) engine.begin(intent(ORDER))).attempt();
    }

    /** Lets the lease of an attempt expire as if its process had died. */
    private void crash() {
        store.down();
        time.advance(LEASE.multipliedBy(2));
        store.up();
    }

    @Test
    void each_new_step_costs_one_round_trip_and_a_replayed_one_none() {
        CountingStore counting = new CountingStore(new MemoryStore(time));
        SemelEngine counted = SemelEngine.on(counting).timer(time).build();
        RunningAttempt first = begun(counted);
        long claimed = counting.calls();
        step(first, CHARGED);
        assertThat(counting.calls() - claimed).isEqualTo(1);
        step(first, SHIPPED);
        assertThat(counting.calls() - claimed).isEqualTo(2);
        step(first, CHARGED);
        assertThat(counting.calls() - claimed).as("replayed within the attempt").isEqualTo(2);
        first.settle(new Outcome.NotExecuted("try again"));

        RunningAttempt second = begun(counted);
        long again = counting.calls();
        assertThat(step(second, CHARGED)).isEqualTo("charge 1");
        assertThat(step(second, SHIPPED)).isEqualTo("ship 2");
        assertThat(counting.calls()).isEqualTo(again);
        assertThat(world).containsExactly("charge", "ship");
    }

    @Test
    void a_takeover_goes_on_after_the_last_recorded_step() {
        RunningAttempt vanished = begun();
        step(vanished, CHARGED);
        crash();
        Execution<String> execution = execute(
                ORDER, attempt -> step(attempt, CHARGED) + ", " + step(attempt, SHIPPED.deduplicatedFor(HORIZON)));
        assertThat(execution.orThrow()).isEqualTo("charge 1, ship 2");
        assertThat(world).containsExactly("charge", "ship");
        assertThat(onRecord().steps().isEmpty()).as("dropped at completion").isTrue();
    }

    @Test
    void a_step_in_doubt_without_deduplication_is_not_run_and_the_outcome_is_unknown() {
        begun();
        crash();
        assertThatThrownBy(() -> execute(ORDER, attempt -> step(attempt, CHARGED)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("charge");
        assertThat(world).isEmpty();
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_step_in_doubt_that_its_provider_deduplicates_is_sent_again_with_the_same_key() {
        List<String> keys = new ArrayList<>();
        RunningAttempt vanished = begun();
        assertThatThrownBy(() -> vanished.step(CHARGED_ONCE, Codec.text(), key -> {
                    keys.add(key);
                    throw new IllegalStateException("died here");
                }))
                .isInstanceOf(IllegalStateException.class);
        crash();
        RunningAttempt next = begun();
        next.step(CHARGED_ONCE, Codec.text(), key -> {
            keys.add(key);
            return "charged";
        });
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isEqualTo(next.downstreamKey("charge"));
        step(next, SHIPPED);
        assertThat(onRecord().times().doubtSince()).isNull();
    }

    @Test
    void the_doubt_ends_with_the_first_step_that_is_recorded_and_only_then() {
        begun();
        crash();
        RunningAttempt next = begun();
        assertThatThrownBy(() -> step(next, SHIPPED)).isInstanceOf(OutcomeUnknownException.class);
        step(next, CHARGED_ONCE);
        step(next, SHIPPED);
        assertThat(world).containsExactly("charge", "ship");
    }

    @Test
    void past_the_horizon_a_key_is_not_sent_again() {
        begun();
        Duration sinceClaim = LEASE.multipliedBy(2);
        crash();
        RunningAttempt next = begun();
        Step shorter = CHARGED.deduplicatedFor(sinceClaim);
        assertThatThrownBy(() -> step(next, shorter))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("longer ago");
        assertThat(step(next, CHARGED.deduplicatedFor(sinceClaim.plusNanos(1)))).isEqualTo("charge 1");
    }

    @Test
    void the_horizon_is_counted_by_the_clock_of_the_store_and_then_by_elapsed_time() {
        ManualTime atTheStore = new ManualTime();
        MemoryStore elsewhere = new MemoryStore(atTheStore);
        SemelEngine vanishing =
                SemelEngine.on(elsewhere).timer(new ManualTime()).build();
        begun(vanishing);
        atTheStore.advance(HORIZON.minusSeconds(10));
        RunningAttempt next = begun(SemelEngine.on(elsewhere).timer(time).build());
        assertThat(next.downstreamKey("charge", HORIZON)).hasSize(64);
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(next.downstreamKey("charge", HORIZON)).hasSize(64);
        time.advance(Duration.ofNanos(1));
        assertThatThrownBy(() -> next.downstreamKey("charge", HORIZON)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(next.downstreamKey("charge"))
                .as("without a question for its age")
                .hasSize(64);
    }

    @Test
    void a_first_attempt_may_send_its_keys_whenever_it_wants() {
        RunningAttempt first = begun();
        time.advance(HORIZON.multipliedBy(2));
        assertThat(first.downstreamKey("charge", HORIZON)).isEqualTo(first.downstreamKey("charge"));
    }

    @Test
    void the_oldest_doubt_counts_over_any_number_of_crashes() {
        begun();
        for (int i = 0; i < 3; i++) {
            crash();
            begun();
        }
        Duration sinceFirstClaim = LEASE.multipliedBy(6);
        crash();
        RunningAttempt last = begun();
        assertThatThrownBy(() -> last.downstreamKey("charge", sinceFirstClaim))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void evidence_that_the_step_in_doubt_did_not_happen_lets_it_run() {
        step(begun(), CHARGED);
        crash();
        assertThatThrownBy(() -> execute(ORDER, attempt -> {
                    step(attempt, CHARGED);
                    return step(attempt, SHIPPED);
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(semel.begin(intent(ORDER))).extracting("why").isInstanceOf(Refusal.OutcomeUnknown.class);
        semel.settle(ORDER, ID, new Verdict.DidNotHappen("never shipped"), "person:alice");
        execute(ORDER, attempt -> step(attempt, CHARGED) + step(attempt, SHIPPED));
        assertThat(world).containsExactly("charge", "ship");
    }

    @Test
    void an_attempt_that_had_no_effect_takes_nothing_from_the_doubt_about_the_one_before() {
        begun();
        crash();
        assertThatThrownBy(() -> execute(ORDER, attempt -> {
                    throw new NotExecutedException("busy");
                }))
                .isInstanceOf(NotExecutedException.class);
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThatThrownBy(() -> execute(ORDER, attempt -> step(attempt, CHARGED)))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(world).isEmpty();
    }

    @Test
    void what_a_step_throws_is_thrown_and_nothing_is_recorded() {
        RunningAttempt attempt = begun();
        assertThatThrownBy(() -> attempt.stepChecked(CHARGED, Codec.text(), key -> {
                    throw new java.io.IOException("declined");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(onRecord().steps().isEmpty()).isTrue();
        assertThat(step(attempt, CHARGED)).isEqualTo("charge 1");
    }

    @Test
    void steps_run_one_after_the_other() {
        RunningAttempt attempt = begun();
        assertThatThrownBy(() -> attempt.step(CHARGED, Codec.text(), key -> step(attempt, SHIPPED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one after the other");
        assertThat(world).isEmpty();
        assertThat(step(attempt, CHARGED)).isEqualTo("charge 1");
    }

    @Test
    void not_executed_is_not_accepted_while_a_step_is_running() {
        RunningAttempt attempt = begun();
        assertThatThrownBy(() -> attempt.step(CHARGED, Codec.text(), key -> {
                    assertThat(attempt.settle(new Outcome.NotExecuted("timeout"))
                                    .toCompletableFuture())
                            .isCompletedWithValue(new Settlement.Settled(new Outcome.Unknown("step_not_recorded")));
                    return "charged";
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void a_doubt_counts_however_deep_a_future_or_a_framework_has_wrapped_it() {
        RunningAttempt attempt = begun();
        Throwable wrapped = new CompletionException(new IllegalStateException(new OutcomeUnknownException("timeout")));

        assertThat(attempt.judge(wrapped)).isEqualTo(Failures.RECONCILE);
        assertThat(attempt.judge(new CompletionException(new InterruptedException())))
                .isEqualTo(Failures.RECONCILE);
        assertThat(attempt.judge(new CompletionException(new NotExecutedException("of another call"))))
                .isNotEqualTo(Failures.RETRY);
    }

    @Test
    void a_zombie_that_wakes_up_after_a_takeover_records_nothing_and_begins_nothing() {
        RunningAttempt zombie = begun();
        assertThatThrownBy(() -> zombie.step(CHARGED_ONCE, Codec.text(), key -> {
                    crash();
                    step(begun(), CHARGED_ONCE);
                    return "charged by a zombie";
                }))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("lease was lost");
        assertThatThrownBy(() -> step(zombie, SHIPPED)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(zombie.stillOwner()).isFalse();
        assertThat(zombie.settle(new Outcome.NotExecuted("zombie")).toCompletableFuture())
                .isCompletedWithValue(new Settlement.LeaseLost());
        crash();
        assertThat(step(begun(), CHARGED_ONCE)).as("what the live one recorded").isEqualTo("charge 1");
        assertThat(world).containsExactly("charge");
    }

    @Test
    void a_zombie_whose_own_clock_stood_still_learns_from_the_store_that_its_lease_is_gone() {
        ManualTime frozen = new ManualTime();
        RunningAttempt zombie = begun(SemelEngine.on(memory).timer(frozen).build());
        time.advance(LEASE.multipliedBy(2));
        begun();
        assertThat(zombie.stillOwner()).isTrue();
        assertThatThrownBy(() -> step(zombie, CHARGED)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(zombie.stillOwner()).isFalse();
        assertThatThrownBy(() -> step(zombie, SHIPPED)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(world)
                .as("one effect is the price of a frozen clock, a second is not")
                .containsExactly("charge");
    }

    @Test
    void no_step_begins_when_the_lease_may_be_over() {
        RunningAttempt attempt = begun();
        store.down();
        time.advance(LEASE);
        store.up();
        assertThatThrownBy(() -> step(attempt, CHARGED))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("lost its lease");
        assertThat(world).isEmpty();
    }

    @Test
    void no_step_begins_after_the_attempt_was_settled() {
        RunningAttempt attempt = begun();
        attempt.settle(new Outcome.Unknown("timeout"));
        assertThat(attempt.stillOwner()).isFalse();
        assertThatThrownBy(() -> step(attempt, CHARGED)).hasMessageContaining("was settled");
        assertThat(world).isEmpty();
    }

    @Test
    void a_recording_that_fails_twice_succeeds_the_third_time() {
        store.failNext(Verb.STEP, Fault.REFUSED);
        store.failNext(Verb.STEP, Fault.ANSWER_LOST);
        RunningAttempt attempt = begun();
        assertThat(step(attempt, CHARGED)).isEqualTo("charge 1");
        attempt.settle(new Outcome.NotExecuted("later"));
        assertThat(step(begun(), CHARGED)).isEqualTo("charge 1");
        assertThat(events)
                .filteredOn(Event.StoreFault.class::isInstance)
                .extracting(event -> ((Event.StoreFault) event).verb())
                .containsExactly("step", "step");
    }

    @Test
    void a_recording_that_fails_three_times_makes_the_outcome_unknown_whatever_the_code_says_then() {
        Operation lenient = ORDER.failures(Failures.RETRY);
        for (Fault fault : List.of(Fault.REFUSED, Fault.ANSWER_LOST, Fault.REFUSED)) {
            store.failNext(Verb.STEP, fault);
        }
        assertThatThrownBy(() -> execute(lenient, attempt -> {
                    assertThatThrownBy(() -> step(attempt, CHARGED))
                            .isInstanceOf(OutcomeUnknownException.class)
                            .hasMessageContaining("could not be recorded");
                    assertThatThrownBy(() -> step(attempt, SHIPPED)).hasMessageContaining("was not begun");
                    throw new NotExecutedException("so it seems");
                }))
                .isInstanceOf(NotExecutedException.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertThat(onRecord().reason()).isEqualTo("step_not_recorded");
        assertThat(world).containsExactly("charge");
    }

    @Test
    void a_failure_after_a_step_that_was_not_recorded_is_not_replayed_as_the_answer() {
        Codec<String> broken = Codec.of(
                value -> {
                    throw new StackOverflowError();
                },
                bytes -> "");
        assertThatThrownBy(() -> execute(ORDER, attempt -> {
                    try {
                        return attempt.step(CHARGED, broken, key -> "charged");
                    } catch (OutcomeUnknownException e) {
                        throw new IllegalStateException("wrapped", e);
                    }
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void code_that_found_out_itself_what_became_of_its_step_may_complete() {
        for (int i = 0; i < 3; i++) {
            store.failNext(Verb.STEP, Fault.REFUSED);
        }
        execute(ORDER, attempt -> {
            assertThatThrownBy(() -> step(attempt, CHARGED)).isInstanceOf(OutcomeUnknownException.class);
            return "looked it up: charged";
        });
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void a_recorded_step_that_cannot_be_read_is_neither_run_again_nor_taken_for_a_failure() {
        step(begun(), CHARGED);
        crash();
        Codec<String> newer = Codec.of(String::getBytes, bytes -> {
            throw new IllegalArgumentException("another format");
        });
        assertThatThrownBy(() -> execute(ORDER, attempt -> attempt.step(CHARGED, newer, key -> "charged again")))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("cannot be read");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    @DisplayName(
            "I5: an attempt that the sweeper gave up on begins no more steps, and its late answer settles the record")
    void late_answer_of_an_attempt_that_was_swept() {
        RunningAttempt alive = ((Claim.Granted) semel.begin(intent(CHARGE))).attempt();
        step(alive, CHARGED);
        crash();
        assertThat(semel.unknownOutcomes().sweep(10)).hasSize(1);
        assertThatThrownBy(() -> step(alive, SHIPPED)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.OutcomeUnknown.class);
        assertThat(alive.settle(new Outcome.Completed(Response.of(new byte[] {1})))
                        .toCompletableFuture())
                .isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        assertThat(onRecord().evidence().source()).isEqualTo("late-answer");
        assertThat(world).containsExactly("charge");
    }

    @Test
    void the_word_of_a_swept_attempt_that_it_did_nothing_releases_nothing() {
        RunningAttempt alive = ((Claim.Granted) semel.begin(intent(CHARGE))).attempt();
        crash();
        semel.unknownOutcomes().sweep(10);
        assertThat(alive.settle(new Outcome.NotExecuted("nothing done")).toCompletableFuture())
                .isCompletedWithValue(new Settlement.LeaseLost());
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void an_answer_after_evidence_reopened_the_record_reports_a_lost_lease() {
        RunningAttempt alive = ((Claim.Granted) semel.begin(intent(CHARGE))).attempt();
        crash();
        semel.unknownOutcomes().sweep(10);
        semel.settle(CHARGE, ID, new Verdict.DidNotHappen("a guess"), "person:alice");
        assertThat(alive.settle(new Outcome.Completed(Response.of(new byte[] {1})))
                        .toCompletableFuture())
                .isCompletedWithValue(new Settlement.LeaseLost());
        assertThat(eventNames()).contains("LeaseLost");
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
    }
}
