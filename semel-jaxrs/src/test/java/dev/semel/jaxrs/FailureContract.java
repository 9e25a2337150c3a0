package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.testsupport.http.Wire;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What failures of a resource method mean: recorded, released, or unknown. */
interface FailureContract extends OnServer {

    private TestServer open(Failures failures, Object... providers) {
        return open(Operation.named("create-payment").failures(failures), policy -> policy, providers);
    }

    @Test
    default void an_exception_is_recorded_as_a_problem_without_internals() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new IllegalStateException("password=hunter2");
            };
            Wire.Reply first = server.pay("k");
            Wire.Reply second = server.pay("k");

            assertProblem(first, 500, "request_failed");
            assertThat(first.essence()).doesNotContain("hunter2", "IllegalState", "Semel-Failure");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_checked_exception_is_recorded_too() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new java.io.IOException("the provider hung up");
            };
            assertProblem(server.pay("k"), 500, "request_failed");
            assertThat(server.pay("k").replayed()).isTrue();
        }
    }

    @Test
    default void an_exception_to_retry_releases_the_key() {
        try (TestServer server = open(Failures.RETRY)) {
            server.resource.work = body -> {
                throw new IllegalStateException("no");
            };
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.essence()).doesNotContain("urn:semel", "Semel-Failure");
            server.pay("k");
            assertThat(server.executions()).isEqualTo(2);
        }
    }

    @Test
    default void an_exception_to_reconcile_leaves_the_outcome_unknown() {
        try (TestServer server = open(Failures.RECONCILE)) {
            server.resource.work = body -> {
                throw new IllegalStateException("no");
            };
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void an_error_proves_nothing_whatever_the_policy() {
        try (TestServer server = open(Failures.RETRY)) {
            server.resource.work = body -> {
                throw new StackOverflowError();
            };
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
        }
    }

    @Test
    default void not_executed_anywhere_among_the_causes_releases_the_key() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new IllegalStateException(new CompletionException(new NotExecutedException("no connection")));
            };
            Wire.Reply first = server.pay("k");

            assertProblem(first, 503, "idempotency_not_executed");
            assertThat(first.all("Retry-After")).containsExactly("1");
            server.pay("k");
            assertThat(server.executions()).isEqualTo(2);
        }
    }

    @Test
    default void an_unknown_outcome_anywhere_among_the_causes_is_unknown() {
        try (TestServer server = open(Failures.RETRY)) {
            server.resource.work = body -> {
                throw new IllegalStateException(new OutcomeUnknownException("the bank timed out"));
            };
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    /** Maps everything to the same response. */
    class CatchAll implements ExceptionMapper<RuntimeException> {
        @Override
        public Response toResponse(RuntimeException failure) {
            return Response.status(400).entity("mapped").build();
        }
    }

    @Test
    default void semels_own_exceptions_are_not_taken_by_a_general_mapper() {
        try (TestServer server = open(Failures.REPLAY, new CatchAll())) {
            server.resource.work = body -> {
                throw new NotExecutedException("no connection");
            };
            assertProblem(server.pay("n"), 503, "idempotency_not_executed");
            server.resource.work = body -> {
                throw new OutcomeUnknownException("the bank timed out");
            };
            assertProblem(server.pay("u"), 409, "idempotency_outcome_unknown");
            assertThat(server.state("u")).isEqualTo(State.UNKNOWN);
        }
    }

    /** The application's own answer to an exception of Semel. */
    class OwnMapper implements ExceptionMapper<NotExecutedException> {
        @Override
        public Response toResponse(NotExecutedException failure) {
            return Response.status(429).entity("own").build();
        }
    }

    @Test
    default void a_mapper_of_the_application_for_the_same_exception_goes_first() {
        try (TestServer server = open(Failures.REPLAY, new OwnMapper())) {
            server.resource.work = body -> {
                throw new NotExecutedException("no connection");
            };
            assertThat(server.pay("k").text()).isEqualTo("own");
            assertThat(server.pay("k").replayed()).isFalse();
        }
    }

    @Test
    default void the_answer_of_a_mapper_is_recorded() {
        try (TestServer server = open(Failures.REPLAY, new CatchAll())) {
            server.resource.work = body -> {
                throw new IllegalArgumentException("no");
            };
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(400);
            assertThat(first.text()).isEqualTo("mapped");
            Wire.Reply second = server.pay("k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
        }
    }

    @Test
    default void an_exception_with_a_response_is_recorded_as_that_response() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new NotFoundException("no such account");
            };
            assertThat(server.pay("k").status()).isEqualTo(404);
            Wire.Reply second = server.pay("k");
            assertThat(second.status()).isEqualTo(404);
            assertThat(second.replayed()).isTrue();

            server.resource.work = body -> {
                throw new BadRequestException(
                        Response.status(400).entity("why").type("text/plain").build());
            };
            assertThat(server.pay("e").text()).isEqualTo("why");
            assertThat(server.pay("e").replayed()).isTrue();
        }
    }

    @Test
    default void a_415_that_the_method_throws_itself_is_an_answer_like_any_other() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new NotSupportedException();
            };
            assertThat(server.pay("k").status()).isEqualTo(415);
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void an_exception_with_a_response_does_not_hide_an_unknown_outcome() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new WebApplicationException(new OutcomeUnknownException("the bank timed out"), 502);
            };
            assertThat(server.pay("k").status()).isEqualTo(502);
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
        }
    }

    @Test
    default void a_refusal_before_execution_releases_the_key() {
        try (TestServer server = open()) {
            server.resource.work = body -> Response.status(429).entity("later").build();
            assertThat(server.pay("k").text()).isEqualTo("later");
            assertThat(server.pay("k").replayed()).isFalse();
            assertThat(server.executions()).isEqualTo(2);
        }
    }

    @Test
    default void a_body_that_fails_midway_is_answered_as_a_failure_from_the_start() {
        try (TestServer server = open()) {
            server.resource.work = body -> Response.ok((StreamingOutput) out -> {
                        out.write(new byte[100_000]);
                        out.flush();
                        throw new IllegalStateException("no more rows");
                    })
                    .header("Content-Type", "text/csv")
                    .header("X-Partial", "1")
                    .build();
            Wire.Reply first = server.pay("k");

            assertProblem(first, 500, "request_failed");
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_body_that_fails_is_unknown_where_failures_are_to_be_reconciled() {
        try (TestServer server = open(Failures.RECONCILE)) {
            server.resource.work = body -> Response.ok((StreamingOutput) out -> {
                        throw new IllegalStateException("no rows");
                    })
                    .build();
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void an_entity_that_no_provider_can_write_settles() {
        try (TestServer server = open()) {
            assertThat(server.pay("/unwritable", "k").status()).isEqualTo(500);
            Wire.Reply second = server.pay("/unwritable", "k");
            assertThat(second.status()).isEqualTo(500);
            assertThat(second.replayed()).isTrue();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    /** Fails on every response. */
    class BrokenFilter implements ContainerResponseFilter {
        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            throw new IllegalStateException("a broken filter");
        }
    }

    @Test
    default void a_response_filter_that_fails_leaves_no_request_in_progress() {
        try (TestServer server = open(Failures.REPLAY, new BrokenFilter())) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.state("k")).isEqualTo(State.COMPLETED);
            server.pay("k");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void an_unprotected_request_that_fails_is_500_without_internals() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new IllegalStateException("password=hunter2");
            };
            Wire.Reply reply = server.pay("/unprotected/payments", "k");

            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.essence()).doesNotContain("hunter2", "Semel-Failure");
        }
    }

    @Test
    default void an_unprotected_method_may_throw_on_the_refusal_of_its_own_call() {
        try (TestServer server = open()) {
            server.resource.work = body -> {
                throw new StoreException("no connection");
            };
            assertProblem(server.pay("/unprotected/payments", "k"), 503, "idempotency_store_unavailable");
        }
    }
}
