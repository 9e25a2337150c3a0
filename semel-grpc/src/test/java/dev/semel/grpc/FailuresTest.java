package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.testsupport.stores.FaultyStore;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A handler that fails")
class FailuresTest {

    private static ShopServer server(Failures failures, ShopServer.Handler handler) {
        return ShopServer.settings()
                .operation(operation -> operation.failures(failures))
                .start(handler);
    }

    /** Fails with this, by throwing it or by {@code onError}. */
    private static ShopServer.Handler failing(boolean thrown, RuntimeException failure) {
        return (request, answer) -> {
            if (thrown) {
                throw failure;
            }
            answer.onError(failure);
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void is_recorded_without_internals(boolean thrown) {
        try (ShopServer server =
                server(Failures.REPLAY, failing(thrown, new IllegalStateException("password=hunter2")))) {
            Answer first = server.charge("k");
            first.assertRefused(RefusalCode.REQUEST_FAILED);
            assertThat(first.essence()).doesNotContain("hunter2", "IllegalState");
            Answer second = server.charge("k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void releases_its_key_where_failures_are_to_be_retried(boolean thrown) {
        try (ShopServer server = server(Failures.RETRY, failing(thrown, new IllegalStateException("no")))) {
            Answer first = server.charge("k");
            assertThat(first.code()).isEqualTo(Status.Code.UNKNOWN);
            assertThat(RefusalCode.in(first.trailers())).isEmpty();
            server.charge("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaves_the_outcome_unknown_where_failures_are_to_be_reconciled(boolean thrown) {
        try (ShopServer server = server(Failures.RECONCILE, failing(thrown, new IllegalStateException("no")))) {
            assertThat(server.charge("k").code()).isEqualTo(Status.Code.UNKNOWN);
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void releases_its_key_where_nothing_was_executed(boolean thrown) {
        RuntimeException failure =
                new IllegalStateException(new CompletionException(new NotExecutedException("no connection")));
        try (ShopServer server = server(Failures.REPLAY, failing(thrown, failure))) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_NOT_EXECUTED);
            assertThat(server.state("k")).isEqualTo(State.FAILED_RETRYABLE);
            server.charge("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaves_the_outcome_unknown_where_it_says_so(boolean thrown) {
        RuntimeException failure = new IllegalStateException(new OutcomeUnknownException("the bank timed out"));
        try (ShopServer server = server(Failures.RETRY, failing(thrown, failure))) {
            Answer first = server.charge("k");
            first.assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(first.essence()).doesNotContain("bank");
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void keeps_the_status_that_it_chose_and_means_what_its_cause_says() {
        try (ShopServer server = ShopServer.of((request, answer) -> answer.onError(Status.UNAVAILABLE
                .withDescription("come back later")
                .withCause(
                        new String(request).equals("100 EUR")
                                ? new NotExecutedException("full")
                                : new OutcomeUnknownException("timeout"))
                .asRuntimeException()))) {
            assertThat(server.charge("n").status().getDescription()).isEqualTo("come back later");
            assertThat(server.state("n")).isEqualTo(State.FAILED_RETRYABLE);
            Answer unknown =
                    server.send(Shop.CHARGE, ShopServer.key("u"), "other").join();
            assertThat(unknown.status().getDescription()).isEqualTo("come back later");
            assertThat(server.state("u")).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void with_an_error_proves_nothing_whatever_the_policy() {
        try (ShopServer server = server(Failures.RETRY, (request, answer) -> {
            throw new StackOverflowError();
        })) {
            assertThat(server.charge("k").code()).isEqualTo(Status.Code.UNKNOWN);
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
        }
    }

    @Test
    void in_an_interceptor_before_the_method_is_judged_like_any_other() {
        ServerInterceptor refusing = new ServerInterceptor() {
            @Override
            public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
                    ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
                throw new NotExecutedException("closed on Sundays");
            }
        };
        try (ShopServer server = ShopServer.settings().inner(refusing).start(ShopServer.saying("done"))) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_NOT_EXECUTED);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void in_a_call_of_its_own_that_leaves_doubt_leaves_its_outcome_unknown() {
        try (ShopServer server = server(Failures.RETRY, (request, answer) -> {
            new Execution.Refused<>(new Refusal.OutcomeUnknown(1)).orThrow();
        })) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.state("k")).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void can_say_itself_what_its_answer_means() {
        try (ShopServer server = ShopServer.of((request, answer) -> {
            Attempt attempt = SemelServerInterceptor.attempt().orElseThrow();
            assertThat(attempt.downstreamKey("charge")).hasSize(64);
            if (new String(request).equals("nothing")) {
                attempt.notExecuted("limits");
            } else if (new String(request).equals("throw")) {
                attempt.outcomeUnknown("timeout");
                throw new IllegalStateException("after all");
            } else {
                attempt.outcomeUnknown("timeout");
            }
            answer.onNext(Shop.bytes("said"));
            answer.onCompleted();
        })) {
            assertThat(server.send(Shop.CHARGE, ShopServer.key("n"), "nothing")
                            .join()
                            .text())
                    .isEqualTo("said");
            assertThat(server.state("n")).isEqualTo(State.FAILED_RETRYABLE);
            assertThat(server.charge("u").text()).isEqualTo("said");
            assertThat(server.state("u")).isEqualTo(State.UNKNOWN);
            Answer thrown =
                    server.send(Shop.CHARGE, ShopServer.key("t"), "throw").join();
            assertThat(thrown.code()).isEqualTo(Status.Code.UNKNOWN);
            assertThat(thrown.essence()).doesNotContain("recorded");
            assertThat(server.state("t")).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void with_a_rule_that_fails_leaves_the_outcome_unknown() {
        ShopServer.Settings settings = ShopServer.settings()
                .policy(policy -> policy.statusRule((status, trailers) -> {
                    throw new IllegalStateException("a bug");
                }));
        try (ShopServer server = settings.start(ShopServer.saying("done"))) {
            server.charge("k");
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void with_an_exception_that_its_operation_judges_follows_that() {
        ShopServer.Settings settings = ShopServer.settings()
                .operation(operation -> operation.failureRule(failure ->
                        failure instanceof IllegalArgumentException ? Optional.of(Failures.RETRY) : Optional.empty()));
        try (ShopServer server = settings.start(failing(true, new IllegalArgumentException("no")))) {
            server.charge("k");
            server.charge("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void to_answer_as_gRPC_demands_gets_the_answer_of_gRPC_and_counts_as_a_failure() {
        AtomicInteger kind = new AtomicInteger();
        try (ShopServer server = server(Failures.RECONCILE, (request, answer) -> {
            if (kind.getAndIncrement() == 0) {
                answer.onCompleted();
            } else {
                answer.onNext(request);
                answer.onNext(request);
                answer.onCompleted();
            }
        })) {
            assertThat(server.charge("none").code()).isEqualTo(Status.Code.INTERNAL);
            assertThat(server.state("none")).isEqualTo(State.UNKNOWN);
            assertThat(server.charge("two").code()).isEqualTo(Status.Code.INTERNAL);
            assertThat(server.state("two")).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void to_get_its_answer_recorded_has_an_unknown_outcome_until_it_is() {
        try (ShopServer server = ShopServer.of(ShopServer.saying("charged"))) {
            for (int tries = 0; tries < 3; tries++) {
                server.store.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.REFUSED);
            }
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            ShopServer.eventually().until(() -> server.charge("k").replayed());
            assertThat(server.charge("k").text()).isEqualTo("charged");
            assertThat(server.executions).hasValue(1);
        }
    }
}
