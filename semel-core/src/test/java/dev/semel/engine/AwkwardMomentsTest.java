package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An attempt that is never settled is kept alive by its heartbeat: its key is busy for as long as the process lives. */
@DisplayName("an engine whose timer, listener, codec or operation fails")
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwkwardMomentsTest extends EngineFixture {

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception failure) throws E {
        throw (E) failure;
    }

    /** The same store, with something that happens after each call of a verb and before its answer. */
    private Store after(String verb, Runnable event) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("blocking")) {
                        return BlockingVerbs.awaiting((Store) proxy);
                    }
                    try {
                        Object answer = method.invoke(store, arguments);
                        if (method.getName().equals(verb)) {
                            event.run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void assertNothingKeepsItAlive(State state) {
        assertThat(onRecord().state()).isEqualTo(state);
        assertThat(time.scheduled()).as("heartbeats").isEmpty();
    }

    @Test
    void a_failure_rule_that_throws_the_failure_itself_proves_nothing() {
        Operation operation = CHARGE.failureRule(failure -> {
            throw (IllegalStateException) failure;
        });
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IllegalStateException("declined?");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("declined?");
        assertNothingKeepsItAlive(State.UNKNOWN);
    }

    @Test
    void a_failure_rule_that_ends_with_an_error_proves_nothing() {
        Operation operation = CHARGE.failureRule(failure -> {
            throw new StackOverflowError();
        });
        assertThatThrownBy(() -> execute(operation, attempt -> {
                    throw new IllegalStateException("declined?");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertNothingKeepsItAlive(State.UNKNOWN);
    }

    @Test
    void a_failure_that_cannot_even_be_described_proves_nothing() {
        RuntimeException mute = new IllegalStateException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("no words");
            }
        };
        assertThatThrownBy(() -> execute(CHARGE, attempt -> {
                    throw mute;
                }))
                .isSameAs(mute);
        assertNothingKeepsItAlive(State.UNKNOWN);
    }

    @Test
    void a_codec_that_throws_a_checked_exception_unannounced_leaves_an_unknown() {
        Codec<String> codec = Codec.of(
                value -> {
                    throw AwkwardMomentsTest.<RuntimeException>sneaky(new IOException("disk"));
                },
                String::new);
        assertThatThrownBy(() -> semel.execute(intent(CHARGE), codec, attempt -> "charged"))
                .isInstanceOf(IOException.class);
        assertNothingKeepsItAlive(State.UNKNOWN);
    }

    @Test
    void asynchronous_work_that_returns_no_stage_is_settled() {
        CompletableFuture<Execution<String>> result = semel.executeAsync(
                        intent(CHARGE), Codec.text(), AwkwardMomentsTest::noStage)
                .toCompletableFuture();
        assertThat(result).isCompletedExceptionally();
        assertNothingKeepsItAlive(State.COMPLETED);
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    private static CompletionStage<String> noStage(Attempt attempt) {
        return null;
    }

    @Test
    void asynchronous_work_that_throws_a_checked_exception_unannounced_is_settled() {
        CompletableFuture<Execution<String>> result = semel.executeAsync(intent(CHARGE), Codec.text(), attempt -> {
                    throw AwkwardMomentsTest.<RuntimeException>sneaky(new IOException("disk"));
                })
                .toCompletableFuture();
        assertThat(result).isCompletedExceptionally();
        assertNothingKeepsItAlive(State.COMPLETED);
    }

    @Test
    void asynchronous_work_blocks_no_thread_when_its_answer_cannot_be_encoded_and_the_store_is_down() {
        Codec<String> codec = Codec.of(
                value -> {
                    throw new IllegalStateException("not encodable");
                },
                String::new);
        CompletableFuture<Execution<String>> result = semel.executeAsync(intent(CHARGE), codec, attempt -> {
                    store.down();
                    return CompletableFuture.completedFuture("charged");
                })
                .toCompletableFuture();
        assertThat(result).isNotDone();
        store.up();
        time.advance(Duration.ofSeconds(1));
        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .withMessage("not encodable");
        assertNothingKeepsItAlive(State.UNKNOWN);
    }

    @Test
    void a_listener_that_ends_with_an_error_leaves_no_caller_waiting() {
        SemelEngine heard = SemelEngine.on(store)
                .timer(time)
                .listener(event -> {
                    throw new NoClassDefFoundError("io/micrometer/Metrics");
                })
                .listener(events::add)
                .build();
        assertThat(heard.execute(intent(CHARGE), Codec.text(), attempt -> "charged"))
                .isInstanceOf(Execution.Ran.class);
        assertThat(eventNames()).containsExactly("Granted", "Settled");
    }

    @Test
    @DisplayName("I1: a grant that arrives after its lease has ended executes nothing")
    void a_grant_that_arrives_too_late_executes_nothing() {
        SemelEngine slow = SemelEngine.on(after("claim", () -> time.advance(LEASE)))
                .timer(time)
                .listener(events::add)
                .build();
        assertThatThrownBy(() -> slow.execute(intent(CHARGE), Codec.text(), attempt -> "charged " + ++executions))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nothing was executed");
        assertThat(slow.beginAsync(intent(CHARGE))).isCompletedExceptionally();
        assertThat(executions).isZero();
        assertNothingKeepsItAlive(State.FAILED_RETRYABLE);
        assertThat(execute(CHARGE)).as("the next request").isInstanceOf(Execution.Ran.class);
    }

    @Test
    void a_caller_who_gave_up_before_the_grant_came_leaves_the_key_to_the_next() {
        RunningAttempt first = ((Claim.Granted) semel.begin(intent(CHARGE))).attempt();
        CompletableFuture<Claim> impatient =
                semel.beginAsync(intent(CHARGE.waitUpTo(LEASE))).toCompletableFuture();
        first.settle(new Outcome.NotExecuted("declined"));
        impatient.cancel(true);
        time.advance(LEASE);
        assertNothingKeepsItAlive(State.FAILED_RETRYABLE);
    }

    @Test
    void a_caller_who_gave_up_while_the_grant_was_on_its_way_leaves_the_key_to_the_next() {
        CompletableFuture<ClaimAnswer> onItsWay = new CompletableFuture<>();
        SemelEngine slow = SemelEngine.on(answeringClaims(onItsWay)).timer(time).build();
        CompletableFuture<Claim> impatient = slow.beginAsync(intent(CHARGE)).toCompletableFuture();
        impatient.cancel(true);
        onItsWay.complete(
                memory.claim(new ClaimRequest(ID, "charge", intent(CHARGE).fingerprint(), LEASE, false, "holder"))
                        .toCompletableFuture()
                        .join());
        assertNothingKeepsItAlive(State.FAILED_RETRYABLE);
    }

    private Store answeringClaims(CompletionStage<ClaimAnswer> answer) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "blocking" -> BlockingVerbs.awaiting((Store) proxy);
                    case "claim" -> answer;
                    default -> method.invoke(store, arguments);
                });
    }

    @Test
    void a_closed_engine_sends_no_heartbeat_on_a_shared_timer() {
        semel.begin(intent(CHARGE));
        semel.close();
        time.advance(LEASE);
        assertThat(time.scheduled()).isEmpty();
        assertThat(onRecord().leaseRemaining()).isZero();
    }

    @Test
    void a_closed_engine_writes_nothing_on_a_shared_timer() {
        RunningAttempt attempt = ((Claim.Granted) semel.begin(intent(CHARGE))).attempt();
        store.down();
        attempt.settle(new Outcome.Completed(Response.of(new byte[0])));
        time.advance(Duration.ofSeconds(2));
        semel.close();
        store.up();
        time.advance(LEASE);
        assertThat(time.scheduled()).isEmpty();
        assertThat(onRecord().state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void an_engine_that_is_closed_while_it_claims_says_so() {
        SemelEngine[] closing = new SemelEngine[1];
        closing[0] = SemelEngine.on(after("claim", () -> closing[0].close())).build();
        assertThatThrownBy(() -> closing[0].begin(intent(CHARGE)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void a_store_that_ends_with_an_error_leaves_no_caller_waiting() {
        Runnable error = () -> {
            throw new NoClassDefFoundError("org/postgresql/core/Oid");
        };
        SemelEngine settling =
                SemelEngine.on(after("settle", error)).timer(time).build();
        CompletableFuture<Execution<String>> result = settling.executeAsync(
                        intent(CHARGE), Codec.text(), attempt -> CompletableFuture.completedFuture("charged"))
                .toCompletableFuture();
        time.advance(Duration.ofSeconds(5));
        assertThat(result).isCompletedWithValueMatching(Execution.Unconfirmed.class::isInstance);

        SemelEngine claiming = SemelEngine.on(after("claim", error)).timer(time).build();
        assertThat(claiming.beginAsync(intent(CHARGE))).isCompletedExceptionally();
    }
}
