package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a tracer")
class TracerTest extends EngineFixture {

    private final RecordingTracer tracer = new RecordingTracer();
    private final SemelEngine traced = on(store).build();

    private SemelEngine.Builder on(Store traced) {
        return SemelEngine.on(traced).timer(time).tracer(tracer);
    }

    private Execution<String> execute(SemelEngine engine) {
        return engine.execute(intent(CHARGE), Codec.text(), attempt -> "charged " + ++executions);
    }

    private byte[] stored() {
        return Objects.requireNonNull(onRecord().response()).bytes();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void gets_an_execution_and_its_replays_with_their_origin() {
        execute(traced);
        assertThat(execute(traced)).isEqualTo(new Execution.Replayed<>("charged 1"));
        assertThat(tracer.lines)
                .containsExactly(
                        "#1 claim charge",
                        "#1 granted 1",
                        "#1 ended COMPLETED",
                        "#2 claim charge",
                        "#2 replayed [origin#1]");
    }

    @Test
    void is_current_while_the_work_runs_and_not_after() {
        traced.execute(intent(CHARGE), Codec.text(), attempt -> {
            assertThat(tracer.current.get()).isEqualTo("#1");
            return "";
        });
        assertThat(tracer.current.get()).isNull();
    }

    @Test
    void is_current_while_asynchronous_work_starts_and_ends_when_it_does() {
        CompletableFuture<String> bank = new CompletableFuture<>();
        CompletionStage<Execution<String>> running = traced.executeAsync(intent(CHARGE), Codec.text(), attempt -> {
            assertThat(tracer.current.get()).isEqualTo("#1");
            return bank;
        });
        assertThat(tracer.current.get()).isNull();
        assertThat(tracer.lines).last().isEqualTo("#1 granted 1");
        bank.complete("charged");
        assertThat(running).isCompleted();
        assertThat(traced.executeAsync(intent(CHARGE), Codec.text(), attempt -> bank))
                .isCompleted();
        assertThat(tracer.lines).endsWith("#1 ended COMPLETED", "#2 claim charge", "#2 replayed [origin#1]");
    }

    @Test
    void is_entered_by_adapters_that_run_the_code_themselves() {
        RunningAttempt attempt = ((Claim.Granted) traced.begin(intent(CHARGE))).attempt();
        RunningAttempt.Entered entered = attempt.enter();
        assertThat(tracer.current.get()).isEqualTo("#1");
        entered.leave();
        assertThat(tracer.current.get()).isNull();
        attempt.settle(new Outcome.Completed(Response.of(new byte[] {1})));
        traced.begin(intent(CHARGE));
        assertThat(tracer.lines).last().isEqualTo("#2 replayed [origin#1]");
    }

    @Test
    void gets_replays_from_memory() {
        SemelEngine near = on(store).nearCache(new MapCache()).build();
        execute(near);
        execute(near);
        assertThat(near.begin(intent(CHARGE, "200 EUR"))).extracting("why").isInstanceOf(Refusal.Mismatch.class);
        assertThat(tracer.lines).contains("#2 replayed near [origin#1]").endsWith("#3 refused Mismatch");
    }

    @Test
    void gets_transactions() {
        FakeDatabase database = new FakeDatabase(memory);
        SemelEngine transactional = on(database).build();
        for (int i = 0; i < 2; i++) {
            transactional.executeInTransaction(
                    database.dataSource(), intent(CHARGE), Codec.text(), (connection, attempt) -> {
                        assertThat(tracer.current.get()).isEqualTo("#1");
                        return "ordered";
                    });
        }
        assertThat(tracer.lines)
                .containsExactly(
                        "#1 claim charge",
                        "#1 granted 1",
                        "#1 ended COMPLETED",
                        "#2 claim charge",
                        "#2 replayed [origin#1]");
        assertThat(tracer.current.get()).isNull();
    }

    @Test
    void gets_recorded_failures_and_their_replays() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> traced.execute(intent(CHARGE), Codec.text(), attempt -> {
                        throw new IllegalStateException("card declined");
                    }))
                    .isInstanceOf(i == 0 ? IllegalStateException.class : RecordedFailureException.class);
        }
        assertThat(tracer.lines).contains("#1 ended COMPLETED failure").last().isEqualTo("#2 replayed [origin#1]");
    }

    @Test
    void gets_refusals_and_failures() {
        RunningAttempt attempt = ((Claim.Granted) traced.begin(intent(CHARGE))).attempt();
        traced.begin(intent(CHARGE));
        traced.begin(intent(CHARGE, "200 EUR"));
        attempt.settle(new Outcome.Unknown("timeout"));
        traced.begin(intent(CHARGE));
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> traced.begin(intent(CHARGE))).isInstanceOf(StoreException.class);
        assertThat(traced.beginAsync(intent(CHARGE))).isCompletedExceptionally();
        assertThat(tracer.lines)
                .contains(
                        "#2 refused InProgress",
                        "#3 refused Mismatch",
                        "#1 ended UNKNOWN",
                        "#4 refused OutcomeUnknown",
                        "#5 failed StoreException",
                        "#6 failed StoreException");
    }

    @Test
    void gets_cancelled_callers() {
        traced.begin(intent(CHARGE));
        CompletionStage<Claim> waiting = traced.beginAsync(intent(CHARGE.waitUpTo(Duration.ofSeconds(5))));
        waiting.toCompletableFuture().cancel(false);
        assertThat(tracer.lines).last().isEqualTo("#2 failed CancellationException");
    }

    @Test
    void finds_no_origin_on_what_was_settled_on_evidence_but_on_a_late_answer() {
        RunningAttempt attempt = ((Claim.Granted) traced.begin(intent(CHARGE))).attempt();
        attempt.settle(new Outcome.Unknown("timeout"));
        attempt.settle(new Outcome.Completed(Response.of(new byte[] {1})));
        traced.begin(intent(CHARGE));
        assertThat(tracer.lines).last().isEqualTo("#2 replayed [origin#1]");

        TracerTest other = new TracerTest();
        assertThatThrownBy(() -> other.traced.execute(intent(CHARGE), Codec.text(), running -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        Verdict.Final happened = new Verdict.Happened(Response.of(new byte[] {1}), "statement");
        other.traced.settle(CHARGE, ID, happened, "person:alice");
        other.traced.begin(intent(CHARGE));
        assertThat(other.tracer.lines).last().isEqualTo("#2 replayed []");
    }

    @Test
    @DisplayName("a replay by an engine without one is the same, and what such an engine records has the same bytes")
    void format() {
        execute(traced);
        assertThat(text(stored())).isEqualTo("\u0002\b\borigin#1charged 1");
        assertThat(execute(CHARGE)).isEqualTo(new Execution.Replayed<>("charged 1"));

        TracerTest without = new TracerTest();
        without.execute(CHARGE);
        assertThat(text(without.stored())).isEqualTo("\u0001\u0000charged 1");
        without.execute(without.traced);
        assertThat(without.tracer.lines).last().isEqualTo("#1 replayed []");
    }

    @Test
    void finds_the_origin_of_compressed_and_encrypted_responses() {
        String large = "{\"amount\": 100}".repeat(1000);
        SemelEngine encrypting = on(store).encryption(keys()).build();
        encrypting.execute(intent(CHARGE), Codec.text(), attempt -> large);
        assertThat(encrypting.execute(intent(CHARGE), Codec.text(), attempt -> ""))
                .isEqualTo(new Execution.Replayed<>(large));
        assertThat(tracer.lines).last().isEqualTo("#2 replayed [origin#1]");
        assertThat(stored()).hasSizeLessThan(1000);
    }

    @Test
    void does_not_get_an_origin_that_was_tampered_with() {
        SemelEngine encrypting = on(store).encryption(keys()).build();
        // Of a record whose first attempt has failed, the store hands out the bytes that it holds.
        assertThatThrownBy(() -> encrypting.execute(intent(CHARGE), Codec.text(), attempt -> {
                    throw new NotExecutedException("refused");
                }))
                .isInstanceOf(NotExecutedException.class);
        execute(encrypting);
        byte[] bytes = stored();
        bytes[text(bytes).indexOf("origin")]++;
        assertThatThrownBy(() -> execute(encrypting))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not decrypt");
        assertThat(tracer.lines).last().isEqualTo("#3 failed StoreException");
    }

    private static EncryptionKeys keys() {
        return EncryptionKeys.current("2029", new byte[32]);
    }

    @Test
    void breaks_nothing_when_it_fails() {
        SemelEngine broken = SemelEngine.on(store).timer(time).tracer(failing()).build();
        assertThat(execute(broken)).isInstanceOf(Execution.Ran.class);
        assertThat(execute(broken)).isEqualTo(new Execution.Replayed<>("charged 1"));
        assertThat(text(stored())).isEqualTo("\u0001\u0000charged 1");

        TracerTest other = new TracerTest();
        SemelEngine halfBroken = SemelEngine.on(other.store)
                .timer(other.time)
                .tracer((operation, identity) -> failingClaim())
                .build();
        assertThat(other.execute(halfBroken)).isInstanceOf(Execution.Ran.class);
        assertThat(other.execute(halfBroken)).isInstanceOf(Execution.Replayed.class);
        assertThat(halfBroken.begin(intent(CHARGE, "200 EUR")))
                .extracting("why")
                .isInstanceOf(Refusal.Mismatch.class);
        assertThat(other.onRecord().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void does_not_make_records_grow_without_limit() {
        SemelEngine chatty = SemelEngine.on(store)
                .timer(time)
                .tracer((operation, identity) -> new OfLongOrigin())
                .build();
        execute(chatty);
        assertThat(text(stored())).isEqualTo("\u0001\u0000charged 1");
    }

    private static Tracer failing() {
        return (operation, identity) -> {
            throw new IllegalStateException("tracer is down");
        };
    }

    /** Every method of it throws, and of the execution as well. */
    private static Tracer.OfClaim failingClaim() {
        return broken(Tracer.OfClaim.class);
    }

    @SuppressWarnings("unchecked")
    private static <T> T broken(Class<T> type) {
        return (T) Proxy.newProxyInstance(
                TracerTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("granted")) {
                        return broken(Tracer.OfExecution.class);
                    }
                    throw new IllegalStateException(method.getName() + " is down");
                });
    }

    private static final class OfLongOrigin implements Tracer.OfClaim, Tracer.OfExecution {

        @Override
        public Tracer.OfExecution granted(long fence) {
            return this;
        }

        @Override
        public void replayed(boolean near, String origin) {}

        @Override
        public void refused(Refusal refusal) {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public String origin() {
            return "x".repeat(Tracer.LONGEST_ORIGIN + 1);
        }

        @Override
        public Tracer.Current makeCurrent() {
            return () -> {
                throw new IllegalStateException("cannot leave");
            };
        }

        @Override
        public void ended(State to, boolean failure) {}
    }
}
