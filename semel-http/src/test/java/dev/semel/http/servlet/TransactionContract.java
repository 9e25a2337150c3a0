package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.ServletException;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which writes commit with the record, and which are rolled back. */
abstract class TransactionContract extends TransactionFixture {

    private static final String SPRING_FAILURE = "org.springframework.web.servlet.DispatcherServlet.EXCEPTION";

    private void assertNothingIsLeft(TestServer server) {
        assertThat(pool.committing.getCount()).as("commits that did not come").isOne();
        assertThat(database.rows()).isEmpty();
        assertThat(server.semel.find(Identity.of("alice", "k"))).isEmpty();
        assertThat(server.status("k").status()).isEqualTo(404);
    }

    private void assertUnknownIsLeft(TestServer server) {
        assertThat(database.rows()).isEmpty();
        assertThat(server.semel.find(Identity.of("alice", "k")).orElseThrow().state())
                .isEqualTo(State.UNKNOWN);
        Wire.Reply retry = server.pay("k");
        assertThat(retry.status()).isEqualTo(409);
        assertThat(retry.text()).contains("idempotency_outcome_unknown");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_success_commits_with_its_record_and_is_replayed() {
        TestServer server = server((request, response) -> {
            insert(request, "paid");
            response.setStatus(201);
            response.addHeader("Link", "</a>");
            response.addHeader("Link", "</b>");
            response.setContentType("application/json");
            response.getWriter().print("{\"id\":7}");
        });

        Wire.Reply first = server.pay("k");
        Wire.Reply second = server.pay("k");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.replayed()).isFalse();
        assertThat(first.text()).isEqualTo("{\"id\":7}");
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(server.status("k").text()).isEqualTo("{\"id\":7}");
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_decline_is_recorded_and_replayed_byte_for_byte() {
        TestServer server = server((request, response) -> {
            insert(request, "declined");
            response.setStatus(409);
            response.setContentType("application/json");
            response.getWriter().print("{\"error\":\"insufficient stock\"}");
        });

        Wire.Reply first = server.pay("k");
        Wire.Reply second = server.pay("k");

        assertThat(first.status()).isEqualTo(409);
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(database.rows()).containsExactly("declined");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void an_exception_rolls_back_and_is_left_to_the_container() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            response.setStatus(201);
            throw new IllegalStateException("no");
        });

        assertThat(server.pay("k").status()).isEqualTo(500);
        assertNothingIsLeft(server);
        assertThat(server.pay("k").replayed()).isFalse();
        assertThat(server.executions).hasValue(2);
    }

    @Test
    void a_request_that_no_handler_was_chosen_for_rolls_back_and_is_passed_on() {
        TestServer server = server((request, response) -> {
            SemelFilter.notRouted(request);
            response.sendError(404);
        });

        assertThat(server.pay("k").status()).isEqualTo(404);
        assertNothingIsLeft(server);
        assertThat(server.pay("k").replayed()).isFalse();
    }

    @Test
    void an_error_rolls_back_too() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            throw new StackOverflowError();
        });

        assertThat(server.pay("k").status()).isEqualTo(500);
        assertNothingIsLeft(server);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 425, 429, 500, 502, 503})
    void a_refusal_or_a_failure_rolls_back_and_is_passed_on(int status) {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            response.setStatus(status);
            response.getWriter().print("not now");
        });

        Wire.Reply first = server.pay("k");

        assertThat(first.status()).isEqualTo(status);
        assertThat(first.text()).isEqualTo("not now");
        assertNothingIsLeft(server);
        assertThat(server.pay("k").replayed()).isFalse();
        assertThat(server.executions).hasValue(2);
    }

    @Test
    void an_error_that_is_left_to_the_container_is_recorded_below_500_only() {
        TestServer server = server((request, response) -> {
            insert(request, "row");
            response.sendError(request.getRequestURI().equals("/payments") ? 404 : 503, "no such account");
        });

        Wire.Reply first = server.pay("k");
        assertThat(first.status()).isEqualTo(404);
        assertThat(first.text()).contains("\"code\":\"request_failed\"", "no such account");
        assertThat(server.pay("k").replayed()).isTrue();
        assertThat(database.rows()).hasSize(1);

        assertThat(server.send(server.post("/other").key("k2")).status()).isEqualTo(503);
        assertThat(database.rows()).hasSize(1);
        assertThat(server.status("k2").status()).isEqualTo(404);
    }

    /** Spring's own transaction may have been marked for rollback by the exception, and could not commit. */
    @ParameterizedTest
    @ValueSource(ints = {200, 409, 500})
    void an_exception_that_the_framework_has_answered_rolls_back_and_its_answer_is_passed_on(int status) {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            request.setAttribute(SPRING_FAILURE, new IllegalStateException("insufficient stock"));
            response.setStatus(status);
            response.getWriter().print("sorry");
        });

        Wire.Reply first = server.pay("k");

        assertThat(first.status()).isEqualTo(status);
        assertThat(first.text()).isEqualTo("sorry");
        assertNothingIsLeft(server);
        assertThat(server.pay("k").replayed()).isFalse();
    }

    @Test
    void an_error_status_that_the_framework_answered_an_exception_with_is_not_recorded_either() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            request.setAttribute(SPRING_FAILURE, new ServletException("no"));
            response.sendError(400);
        });

        assertThat(server.pay("k").status()).isEqualTo(400);
        assertNothingIsLeft(server);
    }

    @Test
    void an_empty_answer_to_an_exception_is_none() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            request.setAttribute(SPRING_FAILURE, new IllegalStateException("no"));
        });

        assertThat(server.pay("k").status()).isEqualTo(500);
        assertNothingIsLeft(server);
    }

    @Test
    void an_unknown_outcome_exception_rolls_back_the_writes_and_records_unknown() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            throw new ServletException(new OutcomeUnknownException("the bank did not answer"));
        });

        assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        assertUnknownIsLeft(server);
    }

    @Test
    void an_unknown_outcome_exception_does_so_when_the_framework_has_answered_it() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            request.setAttribute(SPRING_FAILURE, new OutcomeUnknownException("the bank did not answer"));
            response.setStatus(504);
            response.getWriter().print("ask later");
        });

        assertThat(server.pay("k").text()).isEqualTo("ask later");
        assertUnknownIsLeft(server);
    }

    @Test
    void a_handler_can_declare_its_outcome_unknown() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            SemelFilter.attempt(request).orElseThrow().outcomeUnknown("bank");
            response.setStatus(202);
            response.getWriter().print("ask later");
        });

        assertThat(server.pay("k").text()).isEqualTo("ask later");
        assertUnknownIsLeft(server);
    }

    @Test
    void a_handler_can_declare_that_it_was_not_executed() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            SemelFilter.attempt(request).orElseThrow().notExecuted("closed on sundays");
            response.getWriter().print("come back");
        });

        assertThat(server.pay("k").text()).isEqualTo("come back");
        assertNothingIsLeft(server);
        server.pay("k");
        assertThat(server.executions).hasValue(2);
    }

    @Test
    void an_exception_that_says_that_nothing_was_executed_is_answered_as_such() {
        TestServer server = server((request, response) -> {
            insert(request, "half");
            throw new NotExecutedException("closed on sundays");
        });

        Wire.Reply reply = server.pay("k");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("idempotency_not_executed");
        assertNothingIsLeft(server);
    }

    @Test
    void another_request_with_the_same_key_is_refused_and_writes_nothing() {
        TestServer server = server((request, response) -> insert(request, "paid"));
        server.pay("k");

        Wire.Reply other = server.send(server.post("/payments").key("k").json("{\"amount\":999}"));

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text()).contains("idempotency_key_reused_with_different_payload");
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_response_that_is_too_large_to_record_leaves_after_the_commit_and_is_not_retained() {
        byte[] large = new byte[500_000];
        TestServer server = server(policy -> policy.maxRecordedResponse(1000), (request, response) -> {
            insert(request, "paid");
            response.getOutputStream().write(large);
            response.flushBuffer();
            insert(request, "and booked");
        });

        assertThat(server.pay("k").body()).isEqualTo(large);
        Wire.Reply second = server.pay("k");

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.text()).contains("idempotency_response_not_retained");
        assertThat(database.rows()).containsExactly("paid", "and booked");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_rule_can_have_a_failure_recorded_with_what_was_written() {
        TestServer server = server(
                policy -> policy.responseRule((status, headers) -> Optional.of(Failures.REPLAY)),
                (request, response) -> {
                    insert(request, "failed for good");
                    response.setStatus(500);
                });

        assertThat(server.pay("k").status()).isEqualTo(500);
        assertThat(server.pay("k").replayed()).isTrue();
        assertThat(database.rows()).containsExactly("failed for good");
    }

    @Test
    void a_success_that_a_rule_undoes_is_not_sent() {
        TestServer server = server(
                policy -> policy.responseRule((status, headers) ->
                        Optional.of(headers.first("X-Doubt").isPresent() ? Failures.RECONCILE : Failures.RETRY)),
                (request, response) -> {
                    insert(request, "half");
                    if (request.getRequestURI().equals("/doubt")) {
                        response.setHeader("X-Doubt", "1");
                    }
                    response.setStatus(201);
                });

        assertThat(server.pay("k").text()).contains("idempotency_not_executed");
        assertNothingIsLeft(server);
        assertThat(server.send(server.post("/doubt").key("k2")).text()).contains("idempotency_outcome_unknown");
        assertThat(database.rows()).isEmpty();
    }

    @Test
    void a_rule_that_fails_has_the_request_undone() {
        TestServer server = server(
                policy -> policy.responseRule((status, headers) -> {
                    throw new IllegalStateException("no idea");
                }),
                (request, response) -> {
                    insert(request, "half");
                    response.setStatus(201);
                });

        assertThat(server.pay("k").text()).contains("idempotency_not_executed");
        assertNothingIsLeft(server);
    }

    @Test
    void handlers_can_neither_end_the_transaction_nor_close_its_connection() {
        TestServer server = server((request, response) -> {
            try (var connection = SemelFilter.connection(request).orElseThrow()) {
                database.insert(connection, "paid");
                StringBuilder refused = new StringBuilder();
                refused.append(isRefused(connection::commit));
                refused.append(isRefused(connection::rollback));
                refused.append(isRefused(() -> connection.setAutoCommit(true)));
                refused.append(isRefused(() -> connection.abort(Runnable::run)));
                response.getWriter().print(refused);
            }
            insert(request, "and booked");
        });

        assertThat(server.pay("k").text()).isEqualTo("truetruetruetrue");
        assertThat(database.rows()).containsExactly("paid", "and booked");
    }

    private interface Call {
        void run() throws SQLException;
    }

    private static boolean isRefused(Call call) {
        try {
            call.run();
            return false;
        } catch (SQLException e) {
            return e.getMessage().contains("is refused");
        }
    }
}
