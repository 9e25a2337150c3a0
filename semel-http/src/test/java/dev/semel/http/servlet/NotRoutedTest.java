package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests for which the framework behind the filter has chosen no handler. */
class NotRoutedTest {

    private static TestServer server(Failures failures, TestServer.Handler handler) {
        return TestServer.settings()
                .route("*", "*", Operation.named("create-payment").failures(failures), policy -> policy)
                .start(handler);
    }

    private static void assertReleased(TestServer server, int status) {
        Wire.Reply first = server.pay("k");
        assertThat(first.status()).isEqualTo(status);
        assertThat(server.semel.find(Identity.of("alice", "k")).orElseThrow().state())
                .isEqualTo(State.FAILED_RETRYABLE);
        assertThat(server.status("k").status()).isEqualTo(404);
        assertThat(server.pay("k").replayed()).isFalse();
        assertThat(server.executions).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(Failures.class)
    void release_their_key_whatever_failures_mean(Failures failures) {
        try (TestServer server = server(failures, (request, response) -> {
            SemelFilter.notRouted(request);
            response.setStatus(404);
            response.getWriter().print("nothing here");
        })) {
            assertReleased(server, 404);
        }
    }

    @Test
    void release_their_key_when_the_container_renders_the_error() {
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            SemelFilter.notRouted(request);
            response.sendError(405);
        })) {
            assertReleased(server, 405);
        }
    }

    @Test
    void release_their_key_when_the_exception_reaches_the_container() {
        try (TestServer server = server(Failures.RECONCILE, (request, response) -> {
            SemelFilter.notRouted(request);
            throw new ServletException("no handler");
        })) {
            assertReleased(server, 500);
        }
    }

    @Test
    void release_their_key_however_long_the_error_page_is() {
        try (TestServer server = TestServer.settings()
                .route("*", "*", Operation.named("create-payment"), policy -> policy.maxRecordedResponse(10))
                .start((request, response) -> {
                    SemelFilter.notRouted(request);
                    response.setStatus(404);
                    response.getWriter().print("x".repeat(100_000));
                })) {
            assertReleased(server, 404);
        }
    }

    @Test
    void are_not_those_that_a_servlet_answers_itself() {
        try (TestServer server = server(Failures.REPLAY, (request, response) -> response.setStatus(404))) {
            assertThat(server.pay("k").status()).isEqualTo(404);
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }
}
