package dev.semel.jdbc.postgresql;

import static dev.semel.jdbc.postgresql.OrdersDatabase.PATIENT;
import static dev.semel.jdbc.postgresql.OrdersDatabase.execute;
import static dev.semel.jdbc.postgresql.OrdersDatabase.order;
import static dev.semel.jdbc.postgresql.OrdersDatabase.text;
import static dev.semel.testkit.contract.StoreVerbs.FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.OPERATION;
import static dev.semel.testkit.contract.StoreVerbs.OTHER_FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.postgresql.OrdersDatabase.Granted;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL: a claim within the application's transaction")
@Timeout(120)
class PostgresTransactionTest {

    private OrdersDatabase database;

    @BeforeEach
    void open() throws SQLException {
        database = new OrdersDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private PostgresStore store() {
        return database.store();
    }

    private static SettleAnswer complete(Granted granted) {
        return granted.transaction().settle(granted.answer().lease(), completed("done"), RETENTION);
    }

    @Test
    void a_rollback_leaves_no_claim_no_work_and_no_audit() throws SQLException {
        try (Connection connection = database.begin()) {
            Granted granted = database.granted(connection, "k");
            order(connection, "one");
            complete(granted);
            connection.rollback();
        }
        assertThat(database.orders()).isEmpty();
        assertThat(await(store().find(id("k")))).isEmpty();
        assertThat(store().history(id("k"))).isEmpty();
        assertThat(await(store().claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    void a_claim_is_one_round_trip_and_a_settlement_another_and_a_replay_takes_two() throws SQLException {
        CountingDataSource counting = new CountingDataSource(database.connections(), true);
        try (Connection connection = counting.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            complete(database.granted(connection, "k"));
            assertThat(counting.executions()).isEqualTo(2);
            connection.commit();
        }
        long before = counting.executions();
        try (Connection connection = counting.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store().within(connection, Duration.ZERO).claim(request("k")))
                    .isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(counting.executions() - before).isEqualTo(2);
        }
    }

    @Test
    void the_statements_of_one_claim_after_the_other_are_the_same_so_that_their_plans_are_kept() throws SQLException {
        String kept = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%nextval(''semel_fence'')%'";
        try (Connection connection = database.begin()) {
            for (int i = 0; i < 20; i++) {
                complete(database.granted(connection, "k" + i));
                connection.commit();
            }
            assertThat(text(connection, kept)).isEqualTo("1");
        }
    }

    @Test
    void settings_of_the_transaction_are_what_they_were_when_a_claim_is_granted_and_settled() throws SQLException {
        String settings = "SELECT concat_ws(',', current_setting('lock_timeout'), current_setting('enable_seqscan'),"
                + " current_setting('enable_hashjoin'), current_setting('plan_cache_mode'))";
        try (Connection connection = database.begin()) {
            execute(connection, "SET LOCAL lock_timeout = '7s'");
            execute(connection, "SET enable_hashjoin = off");
            String before = text(connection, settings);
            Granted granted = database.granted(connection, "k");
            assertThat(text(connection, settings)).isEqualTo(before).isEqualTo("7s,on,off,auto");
            complete(granted);
            assertThat(text(connection, settings)).isEqualTo(before);
        }
    }

    @Test
    void a_commit_that_fails_leaves_no_claim_and_the_next_attempt_is_granted_a_higher_fence() throws SQLException {
        long first;
        try (Connection connection = database.begin()) {
            Granted granted = database.granted(connection, "k");
            first = granted.answer().lease().fence();
            order(connection, "twice");
            order(connection, "twice");
            complete(granted);
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("orders");
        }
        assertThat(await(store().find(id("k")))).isEmpty();
        assertThat(store().history(id("k"))).isEmpty();
        try (Connection connection = database.begin()) {
            Granted again = database.granted(connection, "k");
            assertThat(again.answer().lease().fence()).isGreaterThan(first);
            assertThat(again.answer().attempts()).isEqualTo(1);
        }
    }

    @Test
    void a_claim_within_the_work_of_another_is_undone_alone_and_undone_with_it() throws SQLException {
        try (Connection connection = database.begin()) {
            Granted outer = database.granted(connection, "outer");
            order(connection, "outer");
            Granted undone = database.granted(connection, "undone");
            order(connection, "undone");
            undone.transaction().undoClaim();
            Granted kept = database.granted(connection, "kept");
            order(connection, "kept");
            complete(kept);
            complete(outer);

            Granted last = database.granted(connection, "last");
            order(connection, "last");
            database.granted(connection, "left-open");
            last.transaction().undoClaim();
            connection.commit();
        }
        assertThat(database.orders()).isEqualTo("kept outer");
        assertThat(await(store().find(id("outer"))).orElseThrow().state()).isEqualTo(State.COMPLETED);
        assertThat(await(store().find(id("kept"))).orElseThrow().state()).isEqualTo(State.COMPLETED);
        assertThat(await(store().find(id("undone")))).isEmpty();
        assertThat(await(store().find(id("last")))).isEmpty();
        assertThat(await(store().find(id("left-open")))).isEmpty();
    }

    @Test
    void claims_that_are_settled_leave_no_savepoints_in_the_transaction() throws SQLException {
        String nesting = "SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'CurTransactionContext'";
        try (Connection connection = database.begin()) {
            complete(database.granted(connection, "first"));
            String once = text(connection, nesting);
            for (int i = 0; i < 10; i++) {
                complete(database.granted(connection, "k" + i));
            }
            assertThat(text(connection, nesting)).isEqualTo(once);
        }
    }

    @Test
    void answers_that_grant_nothing_leave_the_transaction_and_its_lock_timeout_as_they_were() throws SQLException {
        ClaimAnswer.Granted done = (ClaimAnswer.Granted) await(store().claim(request("done")));
        await(store().settle(done.lease(), completed("done"), RETENTION));
        await(store().claim(request("running")));
        ClaimAnswer.Granted lost = (ClaimAnswer.Granted) await(store().claim(request("unknown")));
        await(store().settle(lost.lease(), unknown(), RETENTION));
        try (Connection connection = database.begin()) {
            execute(connection, "SET LOCAL lock_timeout = '1234ms'");
            order(connection, "mine");
            StoreTransaction transaction = store().within(connection, PATIENT);
            assertThat(transaction.claim(request("done"))).isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
            assertThat(transaction.claim(request("running"))).isInstanceOf(ClaimAnswer.Busy.class);
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
            assertThat(transaction.claim(request("unknown"))).isInstanceOf(ClaimAnswer.Unknown.class);
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
            assertThat(transaction.claim(request("done").withFingerprint(OTHER_FINGERPRINT)))
                    .isInstanceOf(ClaimAnswer.Mismatch.class);
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
            assertThat(transaction.claim(request("new"))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("1234ms");
            connection.commit();
            assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("0");
        }
        assertThat(database.orders()).isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a claim whose lease is over at once is granted, and does not block itself")
    void a_claim_does_not_judge_the_record_that_it_has_written(boolean reexecutable) throws SQLException {
        ClaimRequest brief =
                new ClaimRequest(id("k"), OPERATION, FINGERPRINT, Duration.ofNanos(1_000), reexecutable, "holder");
        Lease lease;
        try (Connection connection = database.begin()) {
            ClaimAnswer answer = store().within(connection, PATIENT).claim(brief);
            assertThat(answer).isInstanceOf(ClaimAnswer.Granted.class);
            lease = ((ClaimAnswer.Granted) answer).lease();
            connection.commit();
        }
        StoredRecord record = await(store().find(id("k"))).orElseThrow();
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.lease()).isEqualTo(lease);
        assertThat(store().history(id("k"))).hasSize(1);
    }

    @Test
    void a_granted_claim_is_not_followed_by_another_one() throws SQLException {
        try (Connection connection = database.begin()) {
            Granted granted = database.granted(connection, "k");
            assertThatThrownBy(() -> granted.transaction().claim(request("other")))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void a_settlement_whose_claim_the_application_has_rolled_back_is_refused() throws SQLException {
        try (Connection connection = database.begin()) {
            execute(connection, "SAVEPOINT mine");
            Granted granted = database.granted(connection, "k");
            execute(connection, "ROLLBACK TO SAVEPOINT mine");
            assertThat(complete(granted))
                    .isInstanceOfSatisfying(
                            SettleAnswer.Refused.class,
                            refused -> assertThat(refused.current()).isEmpty());
        }
    }

    @Test
    void a_connection_in_autocommit_mode_is_refused_with_advice() throws SQLException {
        try (Connection connection = database.begin()) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> store().within(connection, PATIENT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void a_negative_wait_is_refused() throws SQLException {
        try (Connection connection = database.begin()) {
            assertThatThrownBy(() -> store().within(connection, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void the_error_in_a_transaction_that_has_failed_before_says_to_roll_back() throws SQLException {
        try (Connection connection = database.begin()) {
            assertThatThrownBy(() -> execute(connection, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
            StoreTransaction transaction = store().within(connection, PATIENT);
            assertThatThrownBy(() -> transaction.claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("rolled back")
                    .hasMessageContaining("had failed");
        }
    }

    @Test
    void the_error_on_a_connection_that_does_not_see_the_tables_says_so() throws SQLException {
        try (Connection connection = database.begin()) {
            execute(connection, "SET LOCAL search_path = pg_catalog");
            StoreTransaction transaction = store().within(connection, PATIENT);
            assertThatThrownBy(() -> transaction.claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("search_path");
        }
    }

    @Test
    void the_error_in_a_read_only_transaction_says_so() throws SQLException {
        try (Connection connection = database.begin()) {
            execute(connection, "SET TRANSACTION READ ONLY");
            StoreTransaction transaction = store().within(connection, PATIENT);
            assertThatThrownBy(() -> transaction.claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("read-only");
        }
    }
}
