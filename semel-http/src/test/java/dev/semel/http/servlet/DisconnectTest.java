package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.State;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A client that disconnects never cancels completion. */
class DisconnectTest {

    /** Closes so that the other side notices at once. */
    private static void abort(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    void while_an_asynchronous_handler_runs() throws Exception {
        AtomicReference<AsyncContext> running = new AtomicReference<>();
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            running.set(async);
        })) {
            Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
            Awaitility.await().until(() -> running.get() != null);
            abort(socket);
            AsyncContext async = running.get();
            async.getResponse().getOutputStream().write(new byte[500_000]);
            async.complete();

            assertThat(server.semel
                            .find(Identity.of("alice", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.COMPLETED);
            assertThat(server.pay("k").body()).hasSize(500_000);
            assertThat(server.executions).hasValue(1);
        }
    }

    /** Jetty reports a lost connection for HTTP/2 only; other containers always do. The test reports it itself. */
    @Test
    void the_container_reports_a_lost_connection_and_the_handler_still_answers() throws Exception {
        AtomicReference<ProtectedAsyncContext> running = new AtomicReference<>();
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            running.set((ProtectedAsyncContext) async);
        })) {
            try (Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
                Awaitility.await().until(() -> running.get() != null);
                ProtectedAsyncContext async = running.get();
                async.onError(new AsyncEvent(async, new IOException("connection reset")));

                assertThat(server.pay("k").status()).isEqualTo(409);
                async.getResponse().getWriter().print("late, but here");
                async.complete();
                assertThat(server.pay("k").text()).isEqualTo("late, but here");
                assertThat(server.executions).hasValue(1);
            }
        }
    }

    @Test
    void the_connection_is_gone_and_the_handler_does_not_answer_within_the_time_it_had() throws Exception {
        AtomicReference<ProtectedAsyncContext> running = new AtomicReference<>();
        AtomicReference<String> settledOn = new AtomicReference<>();
        TestServer.Settings settings = TestServer.settings()
                .onSettle(() -> settledOn.set(Thread.currentThread().getName()))
                .route("*", "*", policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            running.set((ProtectedAsyncContext) async);
        })) {
            try (Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
                Awaitility.await().until(() -> running.get() != null);
                ProtectedAsyncContext async = running.get();
                async.setTimeout(100);
                async.onError(new AsyncEvent(async, new IOException("connection reset")));

                Awaitility.await().until(() -> server.pay("k").text().contains("idempotency_outcome_unknown"));
                assertThat(server.executions).hasValue(1);
                assertThat(settledOn).hasValue(TimeLimits.THREAD);
            }
        }
    }

    /** Spring does so, and discards the later answer of the handler, which still runs. */
    @Test
    void a_framework_that_answers_for_a_handler_when_the_client_has_gone_leaves_the_outcome_unknown() throws Exception {
        AtomicReference<ProtectedAsyncContext> running = new AtomicReference<>();
        try (TestServer server = TestServer.protecting((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                Throwable failure = (Throwable) request.getAttribute("failure");
                request.setAttribute(
                        "org.springframework.web.servlet.DispatcherServlet.EXCEPTION", new IOException(failure));
                return;
            }
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            async.addListener(new DispatchOnError());
            running.set((ProtectedAsyncContext) async);
        })) {
            try (Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port())) {
                Awaitility.await().until(() -> running.get() != null);
                ProtectedAsyncContext async = running.get();
                async.onError(new AsyncEvent(async, new IOException("connection reset")));

                Awaitility.await().until(() -> !server.pay("k").text().contains("in_progress"));
                assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            }
        }
    }

    private static final class DispatchOnError implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {
            event.getAsyncContext().getRequest().setAttribute("failure", event.getThrowable());
            event.getAsyncContext().dispatch();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
