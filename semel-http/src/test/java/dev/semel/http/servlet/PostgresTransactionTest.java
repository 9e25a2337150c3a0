package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.http.TransactionRunner;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.testkit.FaultyDataSource;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.servers.PostgresServer;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions on a PostgreSQL database that holds the store and the application's table. */
class PostgresTransactionTest {

    private static Database newDatabase() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        return new SqlDatabase(PostgresServer.dataSource(uri), () -> (PostgresStore) Stores.open(uri + "?poolSize=2"));
    }

    @Nested
    class Undoing extends TransactionContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }

    @Nested
    class Committing extends CommitContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }

    @Nested
    class UndoingLate extends TransactionContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }

        @Override
        ClaimTime claim() {
            return ClaimTime.LATE;
        }

        @Test
        void late_work_that_meets_the_record_of_another_process_is_undone_and_answered_from_it() {
            TransactionRunner runner = TransactionRunner.on(pool.dataSource());
            try (TestServer other = TestServer.settings()
                    .store(database.store())
                    .route(
                            "*",
                            "*",
                            Operation.named("create-payment").claim(claim()),
                            builder -> builder.inTransaction(runner))
                    .start((request, response) -> {
                        insert(request, "theirs");
                        response.getWriter().print("theirs");
                    })) {
                TestServer server = server((request, response) -> {
                    assertThat(other.pay("k").replayed()).isFalse();
                    insert(request, "mine");
                    response.getWriter().print("mine");
                });

                Wire.Reply reply = server.pay("k");

                assertThat(reply.replayed()).isTrue();
                assertThat(reply.text()).isEqualTo("theirs");
                assertThat(server.executions).hasValue(1);
            }
            assertThat(database.rows()).containsExactly("theirs");
        }
    }

    @Nested
    class Alone extends OneThreadContract {

        @Override
        DataSource dataSource() throws Exception {
            return newDatabase().dataSource();
        }

        @Override
        Store open(DataSource dataSource) {
            return new PostgresStore(dataSource);
        }
    }

    /** Commits that fail in the server itself. */
    @Nested
    class Failing extends TransactionFixture {

        @Override
        Database open() throws Exception {
            return newDatabase();
        }

        private void execute(HttpServletRequest request, String sql) throws SQLException {
            try (Statement statement =
                    SemelFilter.connection(request).orElseThrow().createStatement()) {
                statement.execute(sql);
            }
        }

        private void assertNotConfirmedAndUndone(TestServer server) {
            Wire.Reply reply = server.pay("k");
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text()).contains("idempotency_store_unavailable", "did not confirm");
            assertThat(database.rows()).isEmpty();
            assertThat(server.status("k").status()).isEqualTo(404);
        }

        @Test
        void a_constraint_that_is_checked_by_the_commit() {
            assertNotConfirmedAndUndone(server((request, response) -> {
                execute(request, "ALTER TABLE written ADD UNIQUE (text) DEFERRABLE INITIALLY DEFERRED");
                insert(request, "paid");
                insert(request, "paid");
                response.setStatus(201);
            }));
        }

        /** PostgreSQL commits nothing of a transaction in which a statement has failed. */
        @Test
        void a_failed_statement_that_the_handler_ignores() {
            assertNotConfirmedAndUndone(server((request, response) -> {
                insert(request, "paid");
                try {
                    execute(request, "INSERT INTO written VALUES (1, 'again')");
                } catch (SQLException e) {
                    response.setStatus(409);
                }
            }));
        }

        @Test
        void a_failed_statement_that_the_handler_undoes_is_its_own_affair() {
            TestServer server = server((request, response) -> {
                Connection connection = SemelFilter.connection(request).orElseThrow();
                insert(request, "paid");
                Savepoint before = connection.setSavepoint();
                try {
                    execute(request, "INSERT INTO written VALUES (1, 'again')");
                } catch (SQLException e) {
                    connection.rollback(before);
                    response.setStatus(409);
                }
            });

            assertThat(server.pay("k").status()).isEqualTo(409);
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(database.rows()).containsExactly("paid");
        }

        @Test
        void a_connection_that_breaks_while_the_handler_runs() {
            TestServer server = server((request, response) -> {
                insert(request, "paid");
                try {
                    execute(request, "SELECT pg_terminate_backend(pg_backend_pid())");
                } catch (SQLException e) {
                    response.setStatus(201);
                }
            });
            assertNotConfirmedAndUndone(server);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void a_connection_that_breaks_while_the_outcome_is_unknown(boolean declared) {
            TestServer server = server((request, response) -> {
                insert(request, "half");
                try {
                    execute(request, "SELECT pg_terminate_backend(pg_backend_pid())");
                } catch (SQLException e) {
                    if (!declared) {
                        throw new OutcomeUnknownException("the bank did not answer");
                    }
                    SemelFilter.attempt(request).orElseThrow().outcomeUnknown("bank");
                    response.getWriter().print("ask later");
                }
            });

            assertThat(server.pay("k").text()).contains(declared ? "ask later" : "idempotency_outcome_unknown");
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(database.rows()).isEmpty();
            assertThat(server.executions).hasValue(1);
        }

        @Test
        void an_unknown_outcome_is_recorded_as_soon_as_a_store_that_was_down_is_back() {
            FaultyDataSource ofTheStore = new FaultyDataSource(database.dataSource());
            try (TestServer server = TestServer.settings()
                    .store(new PostgresStore(ofTheStore.dataSource()))
                    .route("*", "*", policy -> policy.inTransaction(TransactionRunner.on(pool.dataSource())))
                    .start((request, response) -> {
                        ofTheStore.down();
                        throw new OutcomeUnknownException("the bank did not answer");
                    })) {
                pool.nextCommit(FaultyDataSource.Fault.COMMIT_REFUSED);

                assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
                assertThat(server.pay("k").text())
                        .as("what this process remembers without the store")
                        .contains("idempotency_outcome_unknown");
                ofTheStore.up();
                Awaitility.await()
                        .until(() -> server.semel
                                .find(Identity.of("alice", "k"))
                                .filter(record -> record.state() == State.UNKNOWN)
                                .isPresent());
                assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
                assertThat(server.executions).hasValue(1);
            }
        }

        @Test
        void no_second_connection_is_taken_where_the_store_is_on_the_same_pool() {
            pool = new Pool(database.dataSource(), 1);
            try (TestServer server = TestServer.settings()
                    .store(new PostgresStore(pool.dataSource()))
                    .route("*", "*", policy -> policy.inTransaction(TransactionRunner.on(pool.dataSource())))
                    .start((request, response) -> insert(request, "paid"))) {
                assertThat(server.pay("k").status()).isEqualTo(200);
                assertThat(server.pay("k").replayed()).isTrue();
                assertThat(server.status("k").replayed()).isTrue();
            }
        }
    }
}
