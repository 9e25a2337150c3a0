package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.Semel.CheckedWork;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("execute")
class ExecuteTest extends EngineFixture {

    @Test
    void runs_the_first_time_and_replays_afterwards() {
        assertThat(execute(CHARGE))
                .isInstanceOfSatisfying(
                        Execution.Ran.class, ran -> assertThat(ran.value()).isEqualTo("charged 1"));
        assertThat(execute(CHARGE)).isEqualTo(new Execution.Replayed<>("charged 1"));
        assertThat(execute(CHARGE).orThrow()).isEqualTo("charged 1");
        assertThat(executions).isEqualTo(1);
        assertThat(eventNames()).containsExactly("Granted", "Settled", "Replayed", "Replayed");
    }

    @Test
    void refuses_the_same_key_for_something_else() {
        execute(CHARGE);
        Execution<String> other = semel.execute(intent(CHARGE, "200 EUR"), Codec.text(), attempt -> "charged more");
        assertThat(other).isEqualTo(new Execution.Refused<>(new Refusal.Mismatch()));
        assertThatThrownBy(other::orThrow).isInstanceOf(RefusedException.class).hasMessageContaining("use a new key");
        assertThat(events).last().isInstanceOf(Event.RefusedMismatch.class);
    }

    @Test
    void refuses_a_duplicate_of_what_is_running_even_if_it_means_something_else() {
        execute(CHARGE, attempt -> {
            assertThat(execute(CHARGE))
                    .isInstanceOfSatisfying(
                            Execution.Refused.class,
                            refused -> assertThat(refused.why()).isInstanceOf(Refusal.InProgress.class));
            assertThat(semel.begin(intent(CHARGE, "200 EUR"))).extracting("why").isInstanceOf(Refusal.Mismatch.class);
            return "charged";
        });
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void recognizes_a_fingerprint_of_another_version_of_the_same_meaning() {
        Fingerprint old = new Fingerprint("v1.k1:aaa");
        Fingerprint now = new Fingerprint("v1.k2:bbb");
        semel.execute(Intent.of(CHARGE, ID.scope(), ID.key(), old), Codec.text(), attempt -> "charged");
        Intent rotated = Intent.of(CHARGE, ID.scope(), ID.key(), now);
        assertThat(semel.begin(rotated)).extracting("why").isInstanceOf(Refusal.Mismatch.class);
        assertThat(semel.begin(rotated.sameAs(old::matches))).isInstanceOf(Claim.Recorded.class);
        assertThat(semel.begin(rotated.sameAs(stored -> false)))
                .extracting("why")
                .isInstanceOf(Refusal.Mismatch.class);
    }

    @Test
    void replays_a_failure_by_default() {
        assertThatThrownBy(() -> execute(CHARGE, attempt -> {
                    throw new IOException("card reader on fire");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> execute(CHARGE)).isInstanceOfSatisfying(RecordedFailureException.class, failure -> {
            assertThat(failure.type()).isEqualTo("java.io.IOException");
            assertThat(failure).hasMessage("card reader on fire");
        });
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void releases_after_a_failure_where_the_policy_says_retry() {
        Operation operation = CHARGE.failures(Failures.RETRY);
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(onRecord().reason()).isEqualTo("IllegalStateException");
        assertThat(execute(operation)).isInstanceOf(Execution.Ran.class);
        assertThat(events)
                .filteredOn(Event.Granted.class::isInstance)
                .extracting(event -> ((Event.Granted) event).retry())
                .containsExactly(false, true);
    }

    @Test
    void waits_for_evidence_after_a_failure_where_the_policy_says_reconcile() {
        Operation operation = CHARGE.failures(Failures.RECONCILE);
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(execute(operation))
                .isEqualTo(new Execution.Refused<>(
                        new Refusal.OutcomeUnknown(onRecord().fence())));
        assertThat(executions).isEqualTo(1);
        assertThat(eventNames()).containsExactly("Granted", "Settled", "RefusedUnknown");
    }

    @Test
    void obeys_code_that_says_it_had_no_effect_or_does_not_know() {
        Operation replay = CHARGE.failureRule(failure -> Optional.of(Failures.REPLAY));
        assertThatThrownBy(() -> execute(replay, attempt -> {
                    throw new NotExecutedException("declined before dispatch");
                }))
                .isInstanceOf(NotExecutedException.class);
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThatThrownBy(() -> execute(replay, attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void asks_the_operations_rule_before_its_policy() {
        Operation operation = CHARGE.failures(Failures.REPLAY)
                .failureRule(
                        failure -> failure instanceof IOException ? Optional.of(Failures.RETRY) : Optional.empty());
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IOException();
                }))
                .isInstanceOf(IOException.class);
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void an_error_an_interruption_and_a_broken_rule_prove_nothing() {
        assertThatThrownBy(() -> execute(CHARGE.failures(Failures.RETRY), attempt -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);

        ExecuteTest interrupted = new ExecuteTest();
        assertThatThrownBy(() -> interrupted.execute(CHARGE.failures(Failures.RETRY), attempt -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted.onRecord().state()).isEqualTo(State.UNKNOWN);

        ExecuteTest broken = new ExecuteTest();
        Operation rule = CHARGE.failureRule(failure -> {
            throw new UnsupportedOperationException("rule");
        });
        assertThatThrownBy(() -> broken.execute(rule, attempt -> {
                    throw new IllegalStateException("work");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasSuppressedException(new UnsupportedOperationException("rule"));
        assertThat(broken.onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void obeys_what_the_attempt_declares_about_an_answer() {
        Execution<String> refused = execute(CHARGE, attempt -> {
            attempt.notExecuted("429");
            return "try later";
        });
        assertThat(refused.orThrow()).isEqualTo("try later");
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(onRecord().reason()).isEqualTo("429");
        execute(CHARGE, attempt -> {
            attempt.outcomeUnknown("504");
            return "gateway timeout";
        });
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertThat(onRecord().reason()).isEqualTo("504");
    }

    @Test
    void a_result_that_cannot_be_encoded_is_unknown_because_the_effect_happened() {
        Codec<String> broken = Codec.of(
                value -> {
                    throw new UnsupportedOperationException("encode");
                },
                bytes -> "");
        assertThatThrownBy(() -> semel.execute(intent(CHARGE), broken, attempt -> "charged"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
        assertThat(onRecord().reason()).isEqualTo("response_not_encodable");
    }

    @Test
    @DisplayName("I12: a store that cannot be asked means zero executions")
    void executes_nothing_without_a_claim() {
        store.down();
        assertThatThrownBy(() -> execute(CHARGE)).isInstanceOf(StoreException.class);
        store.up();
        store.failNext(Verb.CLAIM, Fault.ANSWER_LOST);
        assertThatThrownBy(() -> execute(CHARGE)).isInstanceOf(StoreException.class);
        assertThat(executions).isZero();
        assertThat(eventNames()).containsOnly("StoreFault");
    }

    @Test
    void a_listener_that_throws_breaks_nothing() {
        try (SemelEngine watched = SemelEngine.on(memory)
                .timer(time)
                .listener(event -> {
                    throw new IllegalStateException("listener");
                })
                .listener(events::add)
                .build()) {
            assertThat(watched.execute(intent(CHARGE), Codec.text(), attempt -> "charged")
                            .orThrow())
                    .isEqualTo("charged");
        }
        assertThat(eventNames()).containsExactly("Granted", "Settled");
    }

    @Test
    void a_closed_engine_executes_nothing() {
        semel.close();
        assertThatThrownBy(() -> execute(CHARGE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThat(executions).isZero();
    }

    @Test
    void derives_the_same_downstream_key_on_every_attempt() {
        String[] keys = new String[4];
        execute(
                CHARGE,
                attempt -> {
                    keys[0] = attempt.downstreamKey("charge");
                    keys[1] = attempt.downstreamKey("refund");
                    throw new NotExecutedException("again");
                },
                NotExecutedException.class);
        execute(CHARGE, attempt -> keys[2] = attempt.downstreamKey("charge"));
        try (SemelEngine secret = SemelEngine.on(memory)
                .timer(time)
                .downstreamSecret(new byte[] {1})
                .build()) {
            Claim claim = secret.begin(Intent.of(
                    CHARGE,
                    ID.scope(),
                    new dev.semel.Key("other"),
                    intent(CHARGE).fingerprint()));
            keys[3] = ((Claim.Granted) claim).attempt().downstreamKey("charge");
        }
        assertThat(keys[2]).isEqualTo(keys[0]).matches("[0-9a-f]{64}");
        assertThat(keys[1]).isNotEqualTo(keys[0]);
        assertThat(keys[3]).isNotEqualTo(keys[0]);
    }

    private <E extends Exception> void execute(
            Operation operation, CheckedWork<String, E> work, Class<? extends Exception> expected) {
        assertThatThrownBy(() -> execute(operation, work)).isInstanceOf(expected);
    }

    @Test
    void policies_that_make_no_sense_are_refused_with_what_would_be_right() {
        assertThatThrownBy(() -> Operation.named("Create Payment")).hasMessageContaining("such as create-payment");
        assertThatThrownBy(() -> CHARGE.lease(java.time.Duration.ofMillis(1)))
                .hasMessageContaining("lease")
                .hasMessageContaining("PT0.1S");
        assertThatThrownBy(() -> CHARGE.retention(java.time.Duration.ZERO)).hasMessageContaining("retention");
        assertThatThrownBy(() -> CHARGE.waitUpTo(java.time.Duration.ofSeconds(-1)))
                .hasMessageContaining("maxWait");
    }
}
