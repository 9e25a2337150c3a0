package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import jakarta.servlet.ServletException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lone request runs from its claim to its response on one thread: no statement of the store runs on another. */
abstract class OneThreadContract {

    private final AtomicReference<String> handlerThread = new AtomicReference<>();
    private StatementThreads statements;
    private TestServer server;
    private TestServer.Handler handler;

    abstract DataSource dataSource() throws Exception;

    abstract Store open(DataSource dataSource);

    @BeforeEach
    void start() throws Exception {
        statements = new StatementThreads(dataSource());
        server = TestServer.settings()
                .store(open(statements.dataSource()))
                .route("*", "*", policy -> policy.maxRecordedResponse(1000))
                .start((request, response) -> {
                    handlerThread.set(Thread.currentThread().getName());
                    handler.handle(request, response);
                });
        statements.calls.clear();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertOnOneThread(int status, TestServer.Handler doing) {
        handler = doing;
        assertThat(server.pay("k").status()).isEqualTo(status);
        assertThat(statements.calls)
                .hasSizeGreaterThan(1)
                .allSatisfy(call -> assertThat(call.thread()).isEqualTo(handlerThread.get()));
        statements.calls.clear();

        server.pay("k");
        assertThat(statements.calls)
                .isNotEmpty()
                .extracting(StatementThreads.Call::thread)
                .allMatch(thread -> thread.startsWith("qtp"), "is a thread of Jetty")
                .containsOnly(statements.calls.get(0).thread());
    }

    @Test
    void that_is_answered_and_then_replayed() {
        assertOnOneThread(201, (request, response) -> response.setStatus(201));
    }

    @Test
    void that_is_answered_with_an_error() {
        assertOnOneThread(404, (request, response) -> response.sendError(404));
    }

    @Test
    void whose_handler_fails() {
        assertOnOneThread(500, (request, response) -> {
            throw new ServletException("declined");
        });
    }

    @Test
    void whose_response_is_too_large_to_be_recorded() {
        assertOnOneThread(200, (request, response) -> response.getOutputStream().write(new byte[5000]));
    }
}
