package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

@DisplayName("SQLite: a claim within a transaction of the application's")
@Timeout(300)
class SqliteTransactionTest {

    private static final Duration AT_ONCE = Duration.ZERO;

    @TempDir
    Path directory;

    private Path file;
    private SqliteStore store;
    private Connection ours;
    private Connection theirs;

    @BeforeEach
    void open() throws SQLException {
        file = directory.resolve("semel.db");
        store = SqliteStore.open(file);
        ours = SqliteStore.dataSource(file).getConnection();
        theirs = SqliteStore.dataSource(file).getConnection();
        execute(ours, "CREATE TABLE payment (id TEXT PRIMARY KEY)");
        ours.setAutoCommit(false);
        theirs.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        ours.close();
        theirs.close();
        store.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private StoreTransaction within(Connection connection) {
        return store.within(connection, AT_ONCE);
    }

    private static Lease granted(StoreTransaction transaction, String key) {
        return ((ClaimAnswer.Granted) transaction.claim(request(key))).lease();
    }

    private State stateOf(String key) {
        return await(store.find(id(key))).orElseThrow().state();
    }

    private void assertNothingLeftOf(String key) throws SQLException {
        assertThat(await(store.find(id(key)))).isEmpty();
        assertThat(store.history(id(key))).isEmpty();
        assertThat(text(theirs, "SELECT count(*) FROM payment")).isEqualTo("0");
    }

    @Test
    void autocommit_is_refused_with_a_word_on_what_to_do() throws SQLException {
        ours.setAutoCommit(true);
        assertThatThrownBy(() -> within(ours))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setAutoCommit(false)");
    }

    @Test
    void a_connection_to_another_file_is_refused() throws SQLException {
        Path elsewhere = directory.resolve("elsewhere.db");
        try (Connection other = SqliteStore.dataSource(elsewhere).getConnection()) {
            other.setAutoCommit(false);
            assertThatThrownBy(() -> within(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("elsewhere.db")
                    .hasMessageContaining("semel.db");
        }
        SQLiteDataSource memory = new SQLiteDataSource();
        memory.setUrl("jdbc:sqlite::memory:");
        try (Connection other = memory.getConnection()) {
            other.setAutoCommit(false);
            assertThatThrownBy(() -> within(other)).hasMessageContaining("no file");
        }
    }

    @Test
    void another_name_of_the_same_file_is_no_other_file() throws SQLException, IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.toAbsolutePath());
        try (Connection other = SqliteStore.dataSource(link.resolve("semel.db")).getConnection()) {
            other.setAutoCommit(false);
            assertThat(within(other).claim(request("k"))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void a_closed_connection_is_a_fault() throws SQLException {
        ours.close();
        assertThatThrownBy(() -> within(ours)).isInstanceOf(StoreException.class);
    }

    @Test
    void the_record_and_the_tables_of_the_application_commit_together() throws SQLException {
        StoreTransaction transaction = within(ours);
        Lease lease = granted(transaction, "k");
        execute(ours, "INSERT INTO payment VALUES ('p')");
        assertThat(transaction.settle(lease, completed("done"), RETENTION)).isInstanceOf(SettleAnswer.Settled.class);
        assertNothingLeftOf("k");
        ours.commit();
        assertThat(stateOf("k")).isEqualTo(State.COMPLETED);
        assertThat(store.history(id("k"))).hasSize(2);
    }

    @Test
    void a_rollback_leaves_no_claim_and_no_entry() throws SQLException {
        StoreTransaction transaction = within(ours);
        Lease lease = granted(transaction, "k");
        execute(ours, "INSERT INTO payment VALUES ('p')");
        transaction.settle(lease, completed("done"), RETENTION);
        ours.rollback();
        assertNothingLeftOf("k");
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    void undoing_the_claim_leaves_what_the_transaction_did_before_it() throws SQLException {
        execute(ours, "INSERT INTO payment VALUES ('before')");
        StoreTransaction transaction = within(ours);
        granted(transaction, "k");
        execute(ours, "INSERT INTO payment VALUES ('after')");
        transaction.undoClaim();
        ours.commit();
        assertThat(await(store.find(id("k")))).isEmpty();
        assertThat(store.history(id("k"))).isEmpty();
        assertThat(text(theirs, "SELECT group_concat(id) FROM payment")).isEqualTo("before");
    }

    @Test
    void two_claims_of_one_transaction_are_undone_each_by_itself() throws SQLException {
        StoreTransaction first = within(ours);
        granted(first, "first");
        StoreTransaction second = within(ours);
        Lease lease = granted(second, "second");
        second.undoClaim();
        assertThat(second.settle(lease, completed("done"), RETENTION)).isInstanceOf(SettleAnswer.Refused.class);
        first.undoClaim();
        ours.commit();
        assertThat(await(store.find(id("first")))).isEmpty();
        assertThat(await(store.find(id("second")))).isEmpty();
    }

    @Test
    void a_claim_that_does_not_get_the_write_lock_in_time_is_busy_and_can_be_repeated() throws SQLException {
        granted(within(ours), "k");
        StoreTransaction waiting = within(theirs);
        assertThat(waiting.claim(request("k"))).isInstanceOf(ClaimAnswer.Busy.class);
        ours.rollback();
        assertThat(waiting.claim(request("k"))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    void the_callers_patience_is_what_it_was_before() throws SQLException {
        execute(theirs, "PRAGMA busy_timeout = 4321");
        StoreTransaction patient = store.within(theirs, Duration.ofMillis(10));
        execute(ours, "INSERT INTO payment VALUES ('p')");
        assertThat(patient.claim(request("k"))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(text(theirs, "PRAGMA busy_timeout")).isEqualTo("4321");
        ours.rollback();
        assertThat(patient.claim(request("k"))).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(text(theirs, "PRAGMA busy_timeout")).isEqualTo("4321");
    }

    @Test
    void the_error_in_a_transaction_that_read_overwritten_data_says_to_claim_first() throws SQLException {
        text(ours, "SELECT count(*) FROM payment");
        await(store.claim(request("another")));
        assertThatThrownBy(() -> within(ours).claim(request("k")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("claim before anything else is read");
        assertThat(text(ours, "PRAGMA busy_timeout")).isEqualTo("5000");
        ours.rollback();
        assertThat(within(ours).claim(request("k"))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    void a_transaction_that_the_driver_only_says_it_has_begun_is_begun_by_the_claim() throws SQLException {
        granted(within(theirs), "k");
        try (Connection confused = immediate().getConnection()) {
            execute(confused, "PRAGMA busy_timeout = 1");
            assertThatThrownBy(() -> confused.setAutoCommit(false)).hasMessageContaining("SQLITE_BUSY");
            assertThat(confused.getAutoCommit()).isFalse();
            StoreTransaction transaction = within(confused);
            assertThat(transaction.claim(request("k"))).isInstanceOf(ClaimAnswer.Busy.class);
            theirs.rollback();

            Lease lease = granted(transaction, "k");
            execute(confused, "INSERT INTO payment VALUES ('p')");
            assertThat(within(theirs).claim(request("k"))).isInstanceOf(ClaimAnswer.Busy.class);
            transaction.settle(lease, completed("done"), RETENTION);
            assertNothingLeftOf("k");
            confused.commit();
            assertThat(stateOf("k")).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void transactions_that_take_the_lock_when_they_begin_may_read_before_they_claim() throws SQLException {
        try (Connection immediate = immediate().getConnection()) {
            immediate.setAutoCommit(false);
            text(immediate, "SELECT count(*) FROM payment");
            StoreTransaction transaction = within(immediate);
            transaction.settle(granted(transaction, "k"), completed("done"), RETENTION);
            immediate.commit();
            immediate.setAutoCommit(true);
        }
        assertThat(stateOf("k")).isEqualTo(State.COMPLETED);
    }

    private SQLiteDataSource immediate() {
        SQLiteConfig config = new SQLiteConfig();
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource dataSource = new SQLiteDataSource(config);
        dataSource.setUrl("jdbc:sqlite:" + file);
        return dataSource;
    }

    @Test
    @DisplayName("I2: a claim that was rolled back settles nothing, though another process was given its fence")
    void a_claim_that_was_rolled_back_settles_nothing() throws SQLException {
        StoreTransaction forgotten = within(ours);
        Lease lease = granted(forgotten, "k");
        ours.rollback();
        try (SqliteStore another = SqliteStore.open(file)) {
            Lease next = ((ClaimAnswer.Granted) await(another.claim(request("k")))).lease();
            assertThat(next).isEqualTo(lease);
        }
        assertThat(forgotten.settle(lease, completed("late"), RETENTION)).isInstanceOf(SettleAnswer.Refused.class);
        ours.commit();
        assertThat(stateOf("k")).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void only_what_was_granted_here_is_settled_or_undone_here() throws SQLException {
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
        StoreTransaction transaction = within(ours);
        assertThat(transaction.settle(lease, completed("done"), RETENTION)).isInstanceOf(SettleAnswer.Refused.class);
        assertThatThrownBy(transaction::undoClaim).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(transaction::undoWork).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void what_has_ended_cannot_be_undone() throws SQLException {
        StoreTransaction transaction = within(ours);
        granted(transaction, "k");
        ours.commit();
        assertThatThrownBy(transaction::undoClaim)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has ended since");
        assertThat(stateOf("k")).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void a_transaction_object_is_granted_one_claim() {
        StoreTransaction transaction = within(ours);
        granted(transaction, "k");
        assertThatThrownBy(() -> transaction.claim(request("another"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_claim_that_fails_halfway_leaves_nothing_though_the_caller_commits() throws SQLException {
        execute(ours, "CREATE TRIGGER full BEFORE INSERT ON semel_audit BEGIN SELECT raise(ABORT, 'full'); END");
        ours.commit();
        assertThatThrownBy(() -> within(ours).claim(request("k"))).isInstanceOf(StoreException.class);
        ours.commit();
        assertNothingLeftOf("k");
    }

    @Test
    void a_settlement_that_fails_halfway_leaves_the_claim() throws SQLException {
        StoreTransaction transaction = within(ours);
        Lease lease = granted(transaction, "k");
        execute(ours, "CREATE TRIGGER full BEFORE INSERT ON semel_audit BEGIN SELECT raise(ABORT, 'full'); END");
        assertThatThrownBy(() -> transaction.settle(lease, completed("done"), RETENTION))
                .isInstanceOf(StoreException.class);
        ours.commit();
        assertThat(stateOf("k")).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void an_answer_that_is_no_grant_leaves_the_savepoints_of_the_application_alone() throws SQLException {
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
        await(store.settle(lease, completed("done"), RETENTION));
        var savepoint = ours.setSavepoint("mine");
        execute(ours, "INSERT INTO payment VALUES ('undone')");
        assertThat(within(ours).claim(request("k"))).isInstanceOf(ClaimAnswer.Recorded.class);
        ours.rollback(savepoint);
        ours.commit();
        assertThat(text(theirs, "SELECT count(*) FROM payment")).isEqualTo("0");
    }
}
