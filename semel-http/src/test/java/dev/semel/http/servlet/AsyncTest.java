package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Handlers that answer later, on other threads, or in pieces. */
class AsyncTest {

    private static void later(Runnable work) {
        new Thread(work).start();
    }

    private static void printing(jakarta.servlet.ServletResponse response, String text) {
        try {
            response.getWriter().print(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void completed_from_another_thread() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            later(() -> {
                response.setStatus(201);
                response.setHeader("X-Later", "yes");
                printing(async.getResponse(), "later");
                async.complete();
            });
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply replay = server.pay("k");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.text()).isEqualTo("later");
            assertThat(first.all("X-Later")).containsExactly("yes");
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void completed_before_the_handler_returns() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            printing(response, "at once");
            async.complete();
        })) {
            assertThat(server.pay("k").text()).isEqualTo("at once");
            assertThat(server.pay("k").replayed()).isTrue();
        }
    }

    @Test
    void dispatched_back_through_the_filter() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                assertThat(SemelFilter.attempt(request)).isPresent();
                printing(
                        response,
                        "dispatched " + request.getAttribute("result")
                                + request.getReader().readLine());
                return;
            }
            AsyncContext async = request.startAsync();
            later(() -> {
                request.setAttribute("result", 42);
                async.dispatch();
            });
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.text()).isEqualTo("dispatched 42{\"amount\":100}");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void dispatched_with_a_request_that_the_handler_wrapped_and_started_again() {
        AtomicReference<Integer> rounds = new AtomicReference<>(0);
        List<String> events = new CopyOnWriteArrayList<>();
        try (TestServer server = TestServer.protecting((request, response) -> {
            int round = rounds.updateAndGet(n -> n + 1);
            printing(response, "round " + round + " ");
            if (round == 3) {
                return;
            }
            AsyncContext async = request.startAsync(new HttpServletRequestWrapper(request), response);
            async.addListener(new Recording(events, "round" + round));
            later(async::dispatch);
        })) {
            assertThat(server.pay("k").text()).isEqualTo("round 1 round 2 round 3 ");
            assertThat(server.pay("k").replayed()).isTrue();
            Awaitility.await().until(() -> events.contains("round2 complete"));
            assertThat(events).contains("round1 start");
        }
    }

    /** Lists the events that it gets. */
    private record Recording(List<String> events, String name) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            events.add(name + " complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            events.add(name + " timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add(name + " error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            events.add(name + " start");
        }
    }

    @Test
    void a_timeout_without_a_listener_leaves_the_outcome_unknown() {
        List<String> events = new CopyOnWriteArrayList<>();
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.addListener(new Recording(events, "mine"));
            async.setTimeout(50);
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(409);
            assertThat(first.text()).contains("idempotency_outcome_unknown");
            assertThat(events).contains("mine timeout");
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_timeout_that_a_listener_answers_is_recorded() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(new AsyncListener() {
                @Override
                public void onTimeout(AsyncEvent event) {
                    response.setStatus(202);
                    printing(response, "we will see");
                    event.getAsyncContext().complete();
                }

                @Override
                public void onComplete(AsyncEvent event) {}

                @Override
                public void onError(AsyncEvent event) {}

                @Override
                public void onStartAsync(AsyncEvent event) {}
            });
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(202);
            assertThat(first.text()).isEqualTo("we will see");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }

    /** A handler that answers on demand, which is after its request has timed out. */
    private static final class LateHandler implements TestServer.Handler {
        private final CountDownLatch timedOut = new CountDownLatch(1);
        private final CountDownLatch answered = new CountDownLatch(1);

        @Override
        public void handle(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            later(() -> {
                try {
                    timedOut.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                printing(response, "too late");
                async.complete();
                answered.countDown();
            });
        }

        void answer() throws InterruptedException {
            timedOut.countDown();
            answered.await();
        }
    }

    @Test
    void an_answer_after_the_timeout_settles_what_was_unknown() throws Exception {
        LateHandler handler = new LateHandler();
        try (TestServer server = TestServer.protecting(handler)) {
            assertThat(server.pay("k").status()).isEqualTo(409);
            handler.answer();
            Wire.Reply retry = server.pay("k");

            assertThat(retry.replayed()).isTrue();
            assertThat(retry.text()).isEqualTo("too late");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_large_answer_after_the_timeout_is_not_recorded_as_an_empty_one() throws Exception {
        LateHandler handler = new LateHandler();
        try (TestServer server = TestServer.settings()
                .route("*", "*", Operation.named("create-payment"), policy -> policy.maxRecordedResponse(3))
                .start(handler)) {
            assertThat(server.pay("k").status()).isEqualTo(409);
            handler.answer();
            assertThat(server.pay("k").text()).contains("idempotency_response_not_retained");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void an_exception_in_a_dispatch_follows_the_policy() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                throw new IllegalStateException("no");
            }
            AsyncContext async = request.startAsync();
            later(async::dispatch);
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.text()).contains("request_failed");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }

    /** Where the failure is not recorded, the container answers; Tomcat closes the connection instead. */
    @Test
    void an_exception_after_processing_was_started_follows_the_policy() throws IOException {
        for (Failures failures : Failures.values()) {
            TestServer.Settings settings = TestServer.settings()
                    .route("*", "*", Operation.named("create-payment").failures(failures), policy -> policy);
            try (TestServer server = settings.start((request, response) -> {
                request.startAsync();
                throw new IllegalStateException("no");
            })) {
                Wire.Request request = server.post("/payments").key("k").json("{\"amount\":100}");
                sendAndReadToTheEnd(request, server);
                switch (failures) {
                    case REPLAY -> assertThat(server.send(request).replayed()).isTrue();
                    case RETRY -> {
                        sendAndReadToTheEnd(request, server);
                        assertThat(server.executions).hasValue(2);
                    }
                    case RECONCILE -> assertThat(server.send(request).text()).contains("idempotency_outcome_unknown");
                }
            }
        }
    }

    private static void sendAndReadToTheEnd(Wire.Request request, TestServer server) throws IOException {
        try (Socket socket = request.open(server.port())) {
            socket.getInputStream().readAllBytes();
        }
    }

    @Test
    void sendError_from_another_thread() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            later(() -> {
                try {
                    response.sendError(request.getRequestURI().equals("/refused") ? 401 : 404);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
                async.complete();
            });
        })) {
            Wire.Reply recorded = server.pay("k");
            assertThat(recorded.status()).isEqualTo(404);
            assertThat(server.pay("k").essence()).isEqualTo(recorded.essence());

            Wire.Request refused = server.post("/refused").key("r").json("{}");
            assertThat(server.send(refused).status()).isEqualTo(401);
            assertThat(server.send(refused).replayed()).isFalse();
        }
    }

    @Test
    void streamed_in_pieces_with_flushes_it_is_sent_when_it_is_complete_and_recorded() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            later(() -> {
                try {
                    for (int i = 0; i < 5; i++) {
                        response.getOutputStream().print("piece " + i + ";");
                        response.flushBuffer();
                    }
                    finish.await();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                async.complete();
            });
        })) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("k"));
            Awaitility.await().until(() -> server.executions.get() == 1);
            assertThat(server.pay("k").status()).isEqualTo(409);
            finish.countDown();

            assertThat(first.get().text()).isEqualTo("piece 0;piece 1;piece 2;piece 3;piece 4;");
            assertThat(server.pay("k").essence()).isEqualTo(first.get().essence());
        }
    }

    @Test
    void a_large_response_is_settled_before_its_first_byte_and_then_streamed() {
        byte[] piece = "0123456789".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        try (TestServer server =
                TestServer.protecting(policy -> policy.maxRecordedResponse(15_000), (request, response) -> {
                    AsyncContext async = request.startAsync();
                    later(() -> {
                        try {
                            response.setContentType("text/plain");
                            for (int i = 0; i < 100; i++) {
                                response.getOutputStream().write(piece);
                            }
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                        async.complete();
                    });
                })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).hasSize(1_000_000);
            assertThat(server.pay("k").text()).contains("idempotency_response_not_retained");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_large_response_whose_record_is_not_confirmed_is_not_sent() {
        try (TestServer server = TestServer.protecting(
                policy -> policy.maxRecordedResponse(100),
                (request, response) -> response.getOutputStream().write(new byte[10_000]))) {
            for (int i = 0; i < 3; i++) {
                server.store.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.REFUSED);
            }
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(409);
            assertThat(first.text()).contains("idempotency_outcome_unknown").hasSizeLessThan(1000);
        }
    }

    @Test
    void written_without_blocking() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            AsyncContext async = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    for (int i = 0; i < 3 && out.isReady(); i++) {
                        out.print("part " + i + ";");
                    }
                    async.complete();
                }

                @Override
                public void onError(Throwable failure) {
                    throw new AssertionError(failure);
                }
            });
        })) {
            assertThat(server.pay("k").text()).isEqualTo("part 0;part 1;part 2;");
            assertThat(server.pay("k").replayed()).isTrue();
        }
    }

    @Test
    void without_the_mapping_for_async_dispatches_nothing_empty_is_stored_and_no_success_is_shown() {
        TestServer.Settings settings =
                TestServer.settings().dispatches(DispatcherType.REQUEST).route("*", "*", policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                later(request.startAsync()::dispatch);
            } else {
                printing(response, "lost");
            }
        })) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(server.semel
                                    .find(Identity.of("alice", "k"))
                                    .orElseThrow()
                                    .state())
                            .isEqualTo(State.UNKNOWN));
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void forwarded_within_the_application_it_is_protected_once() {
        TestServer.Settings settings = TestServer.settings()
                .dispatches(
                        DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.FORWARD, DispatcherType.INCLUDE)
                .route("*", "*", policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                request.getRequestDispatcher("/other?x=1").forward(request, response);
            } else {
                printing(response, "forwarded " + request.getParameter("x"));
            }
        })) {
            assertThat(server.pay("k").text()).isEqualTo("forwarded 1");
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }
}
