package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.testkit.FaultyDataSource.Fault;
import dev.semel.testsupport.http.Wire;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of Spring, with the runner that the documentation shows. */
class SpringTransactionTest {

    @TempDir
    Path directory;

    private Pool pool;
    private Database database;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        Path file = directory.resolve("application.db");
        pool = new Pool(SqliteStore.dataSource(file), 1);
        DataSource dataSource = pool.dataSource();
        database = new SqlDatabase(SqliteStore.dataSource(file), () -> SqliteStore.open(file));
        SpringApplication application = new SpringApplication(dataSource);
        server = TestServer.settings()
                .store(database.store())
                .route("*", "*", policy -> policy.inTransaction(application.transactionRunner()))
                .start(application);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Wire.Reply post(String path) {
        return server.send(server.post(path).key("k"));
    }

    private void assertNothingIsLeft() {
        assertThat(database.rows()).isEmpty();
        assertThat(server.status("k").status()).isEqualTo(404);
    }

    @Test
    void what_a_transactional_service_writes_commits_with_the_record() {
        Wire.Reply first = post("/payments");
        Wire.Reply second = post("/payments");

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.replayed()).isTrue();
        assertThat(second.essence()).isEqualTo(first.essence());
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void a_decline_that_is_returned_is_recorded() {
        assertThat(post("/decline").status()).isEqualTo(409);
        assertThat(post("/decline").replayed()).isTrue();
        assertThat(database.rows()).hasSize(1);
    }

    @Test
    void a_decline_that_is_thrown_is_rolled_back_and_passed_on() {
        Wire.Reply first = post("/throw");

        assertThat(first.status()).isEqualTo(409);
        assertThat(first.text()).isEqualTo("insufficient stock");
        assertNothingIsLeft();
        assertThat(post("/throw").replayed()).isFalse();
    }

    @Test
    void a_success_whose_transaction_is_marked_for_rollback_is_not_sent() {
        Wire.Reply reply = post("/swallow");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("idempotency_store_unavailable");
        assertNothingIsLeft();
    }

    @Test
    void an_unknown_outcome_is_recorded_although_the_transaction_is_marked_for_rollback() {
        assertThat(post("/doubt").text()).contains("idempotency_outcome_unknown");
        assertThat(post("/doubt").text()).contains("idempotency_outcome_unknown");
        assertThat(database.rows()).isEmpty();
        assertThat(server.executions).hasValue(1);
    }

    @Test
    void an_asynchronous_result_is_refused() {
        Wire.Reply reply = post("/later");

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text()).contains("idempotency_unsupported_in_transaction");
        assertNothingIsLeft();
    }

    @Test
    void a_commit_whose_answer_got_lost_is_found_by_the_retry() {
        pool.nextCommit(Fault.COMMIT_ANSWER_LOST);

        assertThat(post("/payments").text()).contains("idempotency_store_unavailable");
        assertThat(post("/payments").replayed()).isTrue();
        assertThat(database.rows()).containsExactly("paid");
        assertThat(server.executions).hasValue(1);
    }
}
