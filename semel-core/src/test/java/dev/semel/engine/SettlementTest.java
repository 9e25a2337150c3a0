package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.Evidence;
import dev.semel.spi.Transitions;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("heartbeat and settlement")
class SettlementTest extends EngineFixture {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Outcome.Completed CHARGED = new Outcome.Completed(Response.of(new byte[] {1}));

    private RunningAttempt begun(Operation operation) {
        return ((Claim.Granted) semel.begin(intent(operation))).attempt();
    }

    private CompletableFuture<Settlement> settled(RunningAttempt attempt) {
        return attempt.settle(CHARGED).toCompletableFuture();
    }

    @Test
    void heartbeats_keep_the_lease_of_a_long_operation() {
        execute(CHARGE, attempt -> {
            for (int i = 0; i < 20; i++) {
                time.advance(LEASE.dividedBy(2));
                assertThat(attempt.stillOwner()).isTrue();
                assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.InProgress.class);
            }
            return "charged";
        });
        assertThat(execute(CHARGE)).isInstanceOf(Execution.Replayed.class);
    }

    @Test
    void heartbeats_end_with_the_attempt() {
        execute(CHARGE);
        assertThat(time.scheduled()).isEmpty();
    }

    @Test
    void one_lost_heartbeat_loses_no_lease() {
        RunningAttempt attempt = begun(CHARGE);
        store.failNext(Verb.RENEW, Fault.REFUSED);
        time.advance(LEASE.plusSeconds(5));
        assertThat(attempt.stillOwner()).isTrue();
        assertThat(eventNames()).contains("StoreFault");
    }

    @Test
    void the_running_code_sees_that_its_lease_was_lost() {
        RunningAttempt attempt = begun(CHARGE);
        store.down();
        time.advance(LEASE.minusMillis(2));
        assertThat(attempt.stillOwner()).isTrue();
        time.advance(Duration.ofMillis(1));
        assertThat(attempt.stillOwner()).isFalse();
        store.up();
        time.advance(LEASE);
        assertThat(attempt.stillOwner()).as("once lost, for ever lost").isFalse();
    }

    @Test
    void a_heartbeat_counts_from_when_it_was_sent_and_not_from_when_it_was_answered() {
        Duration late = Duration.ofSeconds(5);
        AtomicBoolean first = new AtomicBoolean(true);
        Store slow = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("renew") && first.getAndSet(false)) {
                        time.advance(late);
                        store.down();
                    }
                    return answer;
                });
        Claim claim = SemelEngine.on(slow).timer(time).build().begin(intent(CHARGE));
        RunningAttempt attempt = ((Claim.Granted) claim).attempt();
        Duration firstBeat = LEASE.dividedBy(3);
        time.advance(firstBeat);
        time.advance(LEASE.minus(late).minusMillis(2));
        assertThat(attempt.stillOwner()).isTrue();
        time.advance(Duration.ofMillis(1));
        assertThat(attempt.stillOwner()).isFalse();
    }

    @Test
    void an_answer_after_the_lease_was_taken_over_is_lease_lost() {
        Operation operation = CHARGE.reexecutableAfterCrash();
        RunningAttempt first = begun(operation);
        store.down();
        time.advance(LEASE.plusSeconds(1));
        store.up();
        assertThat(execute(operation).orThrow()).isEqualTo("charged 1");
        assertThat(settled(first)).isCompletedWithValue(new Settlement.LeaseLost());
        assertThat(events).last().isInstanceOf(Event.LeaseLost.class);
        assertThat(execute(operation)).isEqualTo(new Execution.Replayed<>("charged 1"));
    }

    @Test
    void execute_says_lease_lost_and_hands_the_answer_to_its_caller_only() {
        Operation operation = CHARGE.reexecutableAfterCrash();
        Execution<String> zombie = semel.execute(intent(operation), Codec.text(), attempt -> {
            store.down();
            time.advance(LEASE.plusSeconds(1));
            store.up();
            execute(operation);
            return "zombie";
        });
        assertThat(zombie).isEqualTo(new Execution.LeaseLost<>("zombie"));
        assertThatThrownBy(zombie::orThrow).hasMessageContaining("not on record");
        assertThat(execute(operation)).isEqualTo(new Execution.Replayed<>("charged 1"));
    }

    @Test
    @DisplayName("I5: a crashed attempt becomes unknown, and its late answer settles it")
    void a_late_answer_of_the_same_fence_settles_an_unknown() {
        RunningAttempt first = begun(CHARGE);
        store.down();
        time.advance(LEASE.plusSeconds(1));
        store.up();
        assertThat(execute(CHARGE))
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(Refusal.OutcomeUnknown.class));
        assertThat(settled(first)).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        assertThat(onRecord().evidence()).isEqualTo(Transitions.LATE_ANSWER);
        assertThat(executions).isZero();
    }

    @Test
    void a_write_that_failed_once_is_tried_again() {
        RunningAttempt attempt = begun(CHARGE);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        CompletableFuture<Settlement> result = settled(attempt);
        assertThat(result).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(result).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void a_write_whose_answer_was_lost_is_recognized_as_its_own() {
        RunningAttempt attempt = begun(CHARGE);
        store.failNext(Verb.SETTLE, Fault.ANSWER_LOST);
        store.failNext(Verb.SETTLE, Fault.ANSWER_LOST);
        CompletableFuture<Settlement> result = settled(attempt);
        time.advance(Duration.ofSeconds(1));
        assertThat(result).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
    }

    @Test
    void what_evidence_said_meanwhile_is_not_mistaken_for_an_answer_of_ones_own() {
        RunningAttempt attempt = begun(CHARGE);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        CompletableFuture<Settlement> result = settled(attempt);
        memory.settle(attempt.lease(), new Outcome.Unknown("timeout"), RETENTION);
        memory.reconcile(
                attempt.lease(),
                new Outcome.Completed(Response.of(new byte[] {2})),
                new Evidence("person:alice", "the bank's statement shows it"),
                RETENTION);
        time.advance(Duration.ofSeconds(1));
        assertThat(result).isCompletedWithValue(new Settlement.LeaseLost());
    }

    @Test
    void the_same_answer_of_a_later_attempt_is_not_mistaken_for_ones_own() {
        RunningAttempt first = begun(CHARGE);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        CompletableFuture<Settlement> result = settled(first);
        memory.settle(first.lease(), new Outcome.NotExecuted("declined"), RETENTION);
        assertThat(settled(begun(CHARGE))).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        time.advance(Duration.ofSeconds(1));
        assertThat(result).isCompletedWithValue(new Settlement.LeaseLost());
    }

    @Test
    void at_most_a_thousand_answers_wait_in_memory_for_the_store() {
        List<RunningAttempt> attempts = IntStream.rangeClosed(0, 1000)
                .mapToObj(i -> Intent.of(
                        CHARGE, ID.scope(), Key.of("k" + i), intent(CHARGE).fingerprint()))
                .map(intent -> ((Claim.Granted) semel.begin(intent)).attempt())
                .toList();
        store.down();
        List<CompletableFuture<Settlement>> results =
                attempts.stream().map(this::settled).toList();
        time.advance(Duration.ofSeconds(2));
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result).isCompletedWithValueMatching(Settlement.Unconfirmed.class::isInstance));
        assertThat(time.scheduled()).hasSize(1000);
    }

    @Test
    void a_store_that_is_down_leaves_the_outcome_unconfirmed_and_gets_it_when_it_is_back() {
        RunningAttempt attempt = begun(CHARGE);
        store.down();
        CompletableFuture<Settlement> result = settled(attempt);
        time.advance(Duration.ofSeconds(2));
        assertThat(result).isCompletedWithValueMatching(Settlement.Unconfirmed.class::isInstance);
        assertThat(onRecord().state()).isEqualTo(State.IN_PROGRESS);
        time.advance(LEASE);
        store.up();
        assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.OutcomeUnknown.class);
        time.advance(Duration.ofSeconds(10));
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        assertThat(time.scheduled()).isEmpty();
    }

    @Test
    void a_store_that_never_comes_back_is_given_up_on_and_nothing_is_released() {
        RunningAttempt attempt = begun(CHARGE);
        store.down();
        settled(attempt);
        time.advance(Duration.ofHours(2));
        assertThat(time.scheduled()).isEmpty();
        store.up();
        assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.OutcomeUnknown.class);
    }

    @Test
    void execute_says_unconfirmed_when_the_store_fails_after_the_effect() {
        Execution<String> unconfirmed = semel.executeAsync(intent(CHARGE), Codec.text(), attempt -> {
                    store.down();
                    return CompletableFuture.completedFuture("charged");
                })
                .thenApply(execution -> execution)
                .toCompletableFuture()
                .getNow(null);
        assertThat(unconfirmed)
                .as("not answered before the foreground tries are over")
                .isNull();
        time.advance(Duration.ofSeconds(2));
        store.up();
        assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.InProgress.class);
    }

    @Test
    void settling_twice_is_an_error() {
        RunningAttempt attempt = begun(CHARGE);
        settled(attempt);
        assertThatThrownBy(() -> attempt.settle(new Outcome.NotExecuted("oops")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void asynchronous_work_is_executed_once_and_replayed() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<Execution<String>> first = semel.executeAsync(intent(CHARGE), Codec.text(), attempt -> answer)
                .toCompletableFuture();
        assertThat(first).isNotDone();
        assertThat(semel.begin(intent(CHARGE))).extracting("why").isInstanceOf(Refusal.InProgress.class);
        answer.complete("charged");
        assertThat(first).isCompletedWithValueMatching(Execution.Ran.class::isInstance);
        assertThat(semel.executeAsync(intent(CHARGE), Codec.text(), attempt -> answer))
                .isCompletedWithValue(new Execution.Replayed<>("charged"));
    }

    @Test
    void asynchronous_failures_are_judged_like_any_other() {
        CompletableFuture<Execution<String>> failed = semel.executeAsync(
                        intent(CHARGE),
                        Codec.text(),
                        attempt -> CompletableFuture.failedFuture(new NotExecutedException("full")))
                .toCompletableFuture();
        assertThat(failed).isCompletedExceptionally();
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        CompletableFuture<Execution<String>> thrown = semel.executeAsync(
                        intent(CHARGE), Codec.<String>of(String::getBytes, String::new), attempt -> {
                            throw new IllegalStateException("at once");
                        })
                .toCompletableFuture();
        assertThat(thrown).isCompletedExceptionally();
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        store.down();
        assertThat(semel.executeAsync(intent(CHARGE), Codec.text(), attempt -> CompletableFuture.completedFuture("")))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(StoreException.class);
    }

    @Test
    void closing_the_engine_leaves_no_caller_waiting() {
        RunningAttempt attempt = begun(CHARGE);
        CompletableFuture<Claim> waiting =
                semel.beginAsync(intent(CHARGE.waitUpTo(Duration.ofHours(1)))).toCompletableFuture();
        store.down();
        CompletableFuture<Settlement> settling = settled(attempt);
        assertThat(waiting).isNotDone();
        assertThat(settling).isNotDone();
        semel.close();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(settling).isCompletedWithValueMatching(Settlement.Unconfirmed.class::isInstance);
    }

    @Test
    void an_attempt_that_was_given_up_may_still_answer_once() {
        RunningAttempt attempt = begun(CHARGE);
        attempt.settle(new Outcome.Unknown("timeout"));
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertThatThrownBy(() -> attempt.settle(new Outcome.NotExecuted("guess")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(settled(attempt)).isCompletedWithValueMatching(Settlement.Settled.class::isInstance);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        assertThat(onRecord().evidence()).isEqualTo(Transitions.LATE_ANSWER);
        assertThatThrownBy(() -> settled(attempt)).isInstanceOf(IllegalStateException.class);
    }
}
