package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.engine.Tracer;
import dev.semel.http.TransactionRunner;
import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Handlers run within the span that a tracer makes current, and replays name the span that executed. */
class TracedTest {

    private final ThreadLocal<Boolean> current = ThreadLocal.withInitial(() -> false);
    private final List<String> events = new CopyOnWriteArrayList<>();

    private TestServer.Settings traced() {
        return TestServer.settings().tracer(new Recorder());
    }

    @Test
    void the_handler_runs_within_the_execution_and_a_replay_names_it() {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        try (TestServer server = traced().route("*", "*", policy -> policy).start((request, response) -> {
            seen.add(current.get());
            response.getWriter().print("paid");
        })) {
            server.pay("k");
            assertThat(server.pay("k").replayed()).isTrue();
        }
        assertThat(seen).containsExactly(true);
        assertThat(events).containsExactly("granted", "entered", "left", "ended COMPLETED", "replayed here");
    }

    @Test
    void so_does_a_handler_that_dispatches_asynchronously_each_time() {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        try (TestServer server = traced().route("*", "*", policy -> policy).start((request, response) -> {
            seen.add(current.get());
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                request.startAsync().dispatch();
            } else {
                response.getWriter().print("paid");
            }
        })) {
            assertThat(server.pay("k").text()).isEqualTo("paid");
        }
        assertThat(seen).containsExactly(true, true);
        assertThat(events).containsExactly("granted", "entered", "left", "entered", "left", "ended COMPLETED");
    }

    @Test
    void so_does_a_handler_in_a_transaction_and_one_that_fails() {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        FakeDatabase database = new FakeDatabase();
        TransactionRunner runner = TransactionRunner.on(database.dataSource());
        try (TestServer server = traced().store(database.store())
                .route("*", "*", policy -> policy.inTransaction(runner))
                .start((request, response) -> {
                    seen.add(current.get());
                    if (seen.size() == 1) {
                        throw new IllegalStateException("declined");
                    }
                    response.getWriter().print("paid");
                })) {
            server.pay("k");
            assertThat(server.pay("k").text()).isEqualTo("paid");
            assertThat(server.pay("k").replayed()).isTrue();
        }
        assertThat(seen).containsExactly(true, true);
        assertThat(events)
                .containsExactly(
                        "granted",
                        "entered",
                        "left",
                        "ended FAILED_RETRYABLE",
                        "granted",
                        "entered",
                        "left",
                        "ended COMPLETED",
                        "replayed here");
    }

    private final class Recorder implements Tracer, Tracer.OfClaim, Tracer.OfExecution {

        @Override
        public OfClaim claim(String operation, Identity identity) {
            return this;
        }

        @Override
        public OfExecution granted(long fence) {
            events.add("granted");
            return this;
        }

        @Override
        public void replayed(boolean near, String origin) {
            events.add("replayed " + origin);
        }

        @Override
        public void refused(Refusal refusal) {
            events.add("refused");
        }

        @Override
        public void failed(Throwable failure) {
            events.add("failed");
        }

        @Override
        public String origin() {
            return "here";
        }

        @Override
        public Current makeCurrent() {
            events.add("entered");
            current.set(true);
            return () -> {
                events.add("left");
                current.remove();
            };
        }

        @Override
        public void ended(State to, boolean failure) {
            events.add("ended " + to);
        }
    }
}
