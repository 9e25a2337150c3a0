package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.TransactionRunner;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.FaultyDataSource.Fault;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What cannot be done in a transaction is refused with a problem, and rolled back. */
class TransactionRefusedTest extends TransactionFixture {

    /** Just above what is held in memory. */
    private static final int TOO_LARGE = (256 << 20) + 1;

    @Override
    Database open() {
        return new FakeDatabase();
    }

    private void assertRefused(TestServer server) {
        Wire.Reply reply = server.pay("k");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.text()).contains("idempotency_unsupported_in_transaction", "\"retryable\":false");
        assertThat(database.rows()).isEmpty();
        assertThat(server.status("k").status()).isEqualTo(404);
    }

    @Test
    void asynchronous_processing() {
        assertRefused(server((request, response) -> {
            insert(request, "half");
            AsyncContext async = request.startAsync();
            new Thread(async::complete).start();
        }));
    }

    @Test
    void asynchronous_processing_whose_refusal_the_handler_ignores() {
        assertRefused(server((request, response) -> {
            insert(request, "half");
            try {
                request.startAsync();
            } catch (IllegalStateException e) {
                SemelFilter.attempt(request).orElseThrow().outcomeUnknown("whatever");
                response.setStatus(201);
                response.getWriter().print("done");
            }
        }));
    }

    @Test
    void asynchronous_processing_that_bypasses_the_filter() {
        assertRefused(server((request, response) -> {
            insert(request, "half");
            ServletRequest real = request;
            while (real instanceof ServletRequestWrapper wrapper) {
                real = wrapper.getRequest();
            }
            real.startAsync();
            response.setStatus(201);
        }));
    }

    @Test
    void listeners_of_the_body() {
        assertRefused(server((request, response) -> {
            insert(request, "half");
            request.getInputStream().setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() {}

                @Override
                public void onAllDataRead() {}

                @Override
                public void onError(Throwable failure) {}
            });
        }));
    }

    @Test
    void a_response_that_is_too_large_to_be_held_in_memory() {
        assertRefused(server((request, response) -> {
            insert(request, "half");
            response.getOutputStream().write(new byte[TOO_LARGE]);
        }));
    }

    private static TestServer server(
            TransactionRunner runner, dev.semel.engine.Store store, TestServer.Handler handler) {
        return TestServer.settings()
                .store(store)
                .route("*", "*", policy -> policy.inTransaction(runner))
                .start(handler);
    }

    private void insertAndSay201(
            jakarta.servlet.http.HttpServletRequest request, jakarta.servlet.http.HttpServletResponse response)
            throws Exception {
        insert(request, "paid");
        response.setStatus(201);
    }

    @Test
    void a_store_that_cannot_take_part() {
        try (TestServer server =
                server(TransactionRunner.on(pool.dataSource()), new MemoryStore(), this::insertAndSay201)) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void a_runner_that_does_not_call_its_work() {
        try (TestServer server = server(work -> {}, database.store(), this::insertAndSay201)) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void a_runner_that_calls_its_work_again_when_it_failed() {
        TransactionRunner once = TransactionRunner.on(pool.dataSource());
        TransactionRunner twice = work -> {
            try {
                once.run(work);
            } catch (java.sql.SQLException e) {
                once.run(work);
            }
        };
        pool.nextCommit(Fault.COMMIT_REFUSED);
        try (TestServer server = server(twice, database.store(), this::insertAndSay201)) {
            assertThat(server.pay("k").text()).contains("idempotency_store_unavailable");
            assertThat(server.executions).hasValue(1);
            assertThat(database.rows()).isEmpty();
        }
    }

    @Test
    void a_runner_that_calls_its_work_on_another_thread() {
        TransactionRunner once = TransactionRunner.on(pool.dataSource());
        TransactionRunner elsewhere = work -> CompletableFuture.runAsync(() -> {
                    try {
                        once.run(work);
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                })
                .join();
        try (TestServer server = server(elsewhere, database.store(), this::insertAndSay201)) {
            assertThat(server.pay("k").status()).isEqualTo(503);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    void a_success_whose_record_cannot_be_written() {
        ((FakeDatabase) database).refuseSettlements();
        TestServer server = server(this::insertAndSay201);

        assertThat(server.pay("k").text()).contains("idempotency_store_unavailable");
        assertThat(database.rows()).isEmpty();
        assertThat(server.status("k").status()).isEqualTo(404);
    }

    /** Spring does so when the transaction was marked for rollback. */
    @Test
    void a_commit_that_becomes_a_rollback_is_no_success() {
        TransactionRunner once = TransactionRunner.on(pool.dataSource());
        TransactionRunner rollbackOnly = work -> once.run(connection -> {
            work.on(connection);
            throw new IllegalStateException("rolled back because it has been marked as rollback-only");
        });
        try (TestServer server = server(rollbackOnly, database.store(), this::insertAndSay201)) {
            assertThat(server.pay("k").text()).contains("idempotency_store_unavailable");
            assertThat(database.rows()).isEmpty();
            assertThat(server.status("k").status()).isEqualTo(404);
        }
    }

    /** The work is also undone within the transaction, which protects against a faulty runner. */
    @Test
    void a_runner_that_commits_what_should_have_been_rolled_back_commits_nothing() {
        TransactionRunner once = TransactionRunner.on(pool.dataSource());
        TransactionRunner stubborn = work -> once.run(connection -> {
            try {
                work.on(connection);
            } catch (RuntimeException e) {
                // Commits all the same.
            }
        });
        try (TestServer server = server(stubborn, database.store(), (request, response) -> {
            insert(request, "half");
            response.setStatus(500);
        })) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(database.rows()).isEmpty();
            assertThat(server.status("k").status()).isEqualTo(404);
        }
    }

    @Test
    void a_connection_is_found_in_its_transaction_only() {
        try (TestServer server = TestServer.protecting((request, response) ->
                response.getWriter().print(SemelFilter.connection(request).isPresent()))) {
            assertThat(server.pay("k").text()).isEqualTo("false");
        }
    }
}
