package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.NotExecutedException;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import jakarta.ws.rs.core.Response;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Methods that answer after they have returned, and clients that do not wait. */
interface AsyncContract extends OnServer {

    @Test
    default void a_stage_that_is_completed_by_another_thread_is_recorded() {
        try (TestServer server = open()) {
            server.resource.stagedWork = body -> CompletableFuture.supplyAsync(
                    () -> Response.status(201).entity("made").build());
            Wire.Reply first = server.pay("/staged", "k");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.text()).isEqualTo("made");
            Wire.Reply second = server.pay("/staged", "k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_stage_that_is_complete_is_recorded() {
        try (TestServer server = open()) {
            server.resource.stagedWork = body -> CompletableFuture.completedFuture("at once");
            Wire.Reply first = server.pay("/staged", "k");

            assertThat(first.text()).isEqualTo("at once");
            assertThat(server.pay("/staged", "k").essence()).isEqualTo(first.essence());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_stage_that_fails_is_recorded_or_released() {
        try (TestServer server = open()) {
            server.resource.stagedWork = body -> CompletableFuture.supplyAsync(() -> {
                throw new IllegalStateException("password=hunter2");
            });
            assertProblem(server.pay("/staged", "k"), 500, "request_failed");
            assertThat(server.pay("/staged", "k").replayed()).isTrue();

            server.resource.stagedWork = body -> CompletableFuture.supplyAsync(() -> {
                throw new NotExecutedException("no connection");
            });
            assertProblem(server.pay("/staged", "n"), 503, "idempotency_not_executed");
            assertThat(server.status("n").status()).isEqualTo(404);
        }
    }

    @Test
    default void a_stage_is_in_progress_until_it_completes() {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        try (TestServer server = open()) {
            server.resource.stagedWork = body -> stage;
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("/staged", "k"));
            Awaitility.await().until(() -> server.state("k") == State.IN_PROGRESS && server.executions() == 1);
            assertProblem(server.pay("/staged", "k"), 409, "idempotency_key_in_progress");
            stage.complete("at last");

            assertThat(first.join().text()).isEqualTo("at last");
            assertThat(server.pay("/staged", "k").replayed()).isTrue();
        }
    }

    @Test
    default void a_response_that_is_resumed_by_another_thread_is_recorded() {
        try (TestServer server = open()) {
            server.resource.suspendedWork =
                    (body, response) -> new Thread(() -> response.resume("resumed " + body)).start();
            Wire.Reply first = server.pay("/suspended", "k");

            assertThat(first.text()).isEqualTo("resumed {\"amount\":100}");
            Wire.Reply second = server.pay("/suspended", "k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_response_that_is_resumed_with_an_exception_is_recorded_or_released() {
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) ->
                    new Thread(() -> response.resume(new IllegalStateException("password=hunter2"))).start();
            assertProblem(server.pay("/suspended", "k"), 500, "request_failed");
            assertThat(server.pay("/suspended", "k").replayed()).isTrue();

            server.resource.suspendedWork = (body, response) ->
                    new Thread(() -> response.resume(new NotExecutedException("no connection"))).start();
            assertProblem(server.pay("/suspended", "n"), 503, "idempotency_not_executed");
        }
    }

    @Test
    default void a_response_that_is_resumed_without_content_is_recorded() {
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) ->
                    new Thread(() -> response.resume(Response.noContent().build())).start();
            assertThat(server.pay("/suspended", "k").status()).isEqualTo(204);
            assertThat(server.pay("/suspended", "k").replayed()).isTrue();
        }
    }

    @Test
    default void a_method_that_suspends_and_throws_is_recorded() {
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) -> {
                throw new IllegalStateException("no");
            };
            assertProblem(server.pay("/suspended", "k"), 500, "request_failed");
            assertThat(server.pay("/suspended", "k").replayed()).isTrue();
        }
    }

    @Test
    default void a_timeout_that_no_handler_answers_leaves_the_outcome_unknown() {
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) -> response.setTimeout(50, TimeUnit.MILLISECONDS);

            assertProblem(server.pay("/suspended", "k"), 409, "idempotency_outcome_unknown");
            assertThat(server.state("k")).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    default void a_timeout_that_a_handler_answers_counts_by_its_answer() {
        try (TestServer server = open()) {
            server.resource.suspendedWork = (body, response) -> {
                response.setTimeoutHandler(late -> late.resume("too late"));
                response.setTimeout(50, TimeUnit.MILLISECONDS);
            };
            assertThat(server.pay("/suspended", "k").text()).isEqualTo("too late");
            assertThat(server.pay("/suspended", "k").replayed()).isTrue();
        }
    }

    /** Closes so that the other side notices at once. */
    static void abort(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    default void a_client_that_disconnects_while_the_method_runs_cancels_nothing() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (TestServer server = open()) {
            server.resource.work = body -> {
                started.countDown();
                finish.await();
                return Response.ok(new byte[500_000]).build();
            };
            Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
            started.await();
            abort(socket);
            finish.countDown();

            Awaitility.await().until(() -> server.state("k") == State.COMPLETED);
            assertThat(server.pay("k").body()).hasSize(500_000);
            assertThat(server.executions()).isEqualTo(1);
        }
    }
}
