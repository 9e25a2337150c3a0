package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.testing.Connections;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.Function;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

@DisplayName("SQLite: files, locks, faults and the clock")
@Timeout(300)
class SqliteStoreTest {

    private static final SqliteOptions IMPATIENT = new SqliteOptions(SchemaMode.CREATE, Duration.ofMillis(100));
    private static final SqliteOptions VALIDATE = new SqliteOptions(SchemaMode.VALIDATE, Duration.ofSeconds(5));

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("semel.db");
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = SqliteStore.dataSource(file).getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    void missing_directories_are_created_and_the_records_are_there_next_time() {
        Path deep = directory.resolve("a/b/c/semel.db");
        try (SqliteStore store = SqliteStore.open(deep)) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
        try (SqliteStore store = SqliteStore.open(deep, VALIDATE)) {
            assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    void connections_log_ahead_and_reach_the_disk() throws SQLException {
        try (Connection connection = SqliteStore.dataSource(file).getConnection()) {
            assertThat(text(connection, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(text(connection, "PRAGMA synchronous")).isEqualTo("2");
            assertThat(text(connection, "PRAGMA busy_timeout")).isEqualTo("5000");
        }
    }

    @Test
    void a_connection_that_has_committed_does_not_keep_the_write_lock() throws SQLException {
        try (Connection one = SqliteStore.dataSource(file).getConnection();
                Connection two = SqliteStore.dataSource(file).getConnection();
                Statement writing = one.createStatement();
                Statement other = two.createStatement()) {
            one.setAutoCommit(false);
            writing.executeUpdate("CREATE TABLE mine (x INTEGER)");
            other.execute("PRAGMA busy_timeout = 1");
            assertThatThrownBy(() -> other.execute("BEGIN IMMEDIATE")).hasMessageContaining("SQLITE_BUSY");
            one.commit();
            other.execute("BEGIN IMMEDIATE");
            other.execute("ROLLBACK");
        }
    }

    @Test
    void a_store_refuses_connections_that_could_lose_what_was_confirmed() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        SQLiteDataSource careless = new SQLiteDataSource(config);
        careless.setUrl("jdbc:sqlite:" + file);
        assertThatThrownBy(() -> new SqliteStore(careless, SqliteOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("synchronous = 1");

        SQLiteDataSource rollback = new SQLiteDataSource();
        rollback.setUrl("jdbc:sqlite:" + directory.resolve("rollback.db"));
        assertThatThrownBy(() -> new SqliteStore(rollback, SqliteOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("journal mode delete instead of wal");
    }

    @Test
    void a_file_that_is_no_database_is_left_alone() throws IOException {
        Files.writeString(file, "dear diary, ".repeat(100));
        assertThatThrownBy(() -> SqliteStore.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("not a SQLite database");
        assertThat(file).content().startsWith("dear diary");
    }

    @Test
    void a_directory_is_no_file() {
        assertThatThrownBy(() -> SqliteStore.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be opened");
    }

    @Test
    void a_parent_that_is_a_file_is_named() throws IOException {
        Files.writeString(file, "");
        assertThatThrownBy(() -> SqliteStore.open(file.resolve("semel.db")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the directory of")
                .hasMessageContaining("cannot be created");
    }

    @Test
    void the_error_of_a_read_only_file_says_so() {
        SqliteStore.open(file).close();
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        SQLiteDataSource readOnly = new SQLiteDataSource(config);
        readOnly.setUrl("jdbc:sqlite:" + file);
        assertThatThrownBy(() -> {
                    try (SqliteStore store = new SqliteStore(readOnly, SqliteOptions.DEFAULT)) {
                        await(store.claim(request("k")));
                    }
                })
                .hasMessageContaining("read-only");
    }

    @Test
    void validation_of_an_absent_or_empty_file_creates_nothing() throws SQLException {
        assertThatThrownBy(() -> SqliteStore.open(file, VALIDATE))
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("there is no file");
        assertThat(file).doesNotExist();

        execute("CREATE TABLE mine (x INTEGER)");
        assertThatThrownBy(() -> SqliteStore.open(file, VALIDATE))
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("the tables are not created yet")
                .hasMessageContaining("`semel schema sqlite`");

        execute("CREATE TABLE semel_record (x INTEGER)");
        assertThatThrownBy(() -> SqliteStore.open(file, VALIDATE))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(NotCreatedException.class)
                .hasMessageContaining("table semel_schema is missing");
    }

    @Test
    void validation_does_not_even_change_the_journal_mode() throws SQLException {
        SqliteStore.open(file).close();
        execute("PRAGMA journal_mode = delete");
        assertThatThrownBy(() -> SqliteStore.open(file, VALIDATE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("journal mode delete instead of wal");
        SQLiteDataSource plain = new SQLiteDataSource();
        plain.setUrl("jdbc:sqlite:" + file);
        try (Connection connection = plain.getConnection()) {
            assertThat(text(connection, "PRAGMA journal_mode")).isEqualTo("delete");
        }
    }

    @Test
    void a_question_mark_in_a_path_is_refused() {
        assertThatThrownBy(() -> SqliteStore.dataSource(Path.of("a?mode=ro")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("question mark");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALTER TABLE semel_record DROP COLUMN holder | column semel_record.holder is missing",
                "DROP TABLE semel_fence | table semel_fence is missing",
                "DROP TABLE semel_schema | table semel_schema is missing",
                "UPDATE semel_schema SET version = 99 | semel_schema has version [99], this release needs 1",
            })
    void validation_names_the_difference(String change, String complaint) throws SQLException {
        SqliteStore.open(file).close();
        execute(change);
        assertThatThrownBy(() -> SqliteStore.open(file, VALIDATE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void a_newer_schema_is_left_alone_also_when_tables_may_be_created() throws SQLException {
        SqliteStore.open(file).close();
        execute("UPDATE semel_schema SET version = 99");
        assertThatThrownBy(() -> SqliteStore.open(file)).hasMessageContaining("semel_schema has version [99]");
    }

    @Test
    void answers_need_no_write_lock_and_writes_wait_for_it_within_bounds() throws SQLException {
        try (SqliteStore store = SqliteStore.open(file, IMPATIENT);
                Connection other = SqliteStore.dataSource(file).getConnection();
                Statement statement = other.createStatement()) {
            var running = request("running");
            Lease granted = ((ClaimAnswer.Granted) await(store.claim(running))).lease();
            Lease done = ((ClaimAnswer.Granted) await(store.claim(request("done")))).lease();
            await(store.settle(done, completed("done"), RETENTION));
            statement.execute("BEGIN IMMEDIATE");

            assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
            assertThat(((ClaimAnswer.Granted) await(store.claim(running))).lease())
                    .isEqualTo(granted);
            assertThatThrownBy(() -> await(store.claim(request("new"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("kept the file locked for longer");

            statement.execute("ROLLBACK");
            assertThat(await(store.claim(request("new")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void a_full_disk_is_a_fault_that_leaves_the_store_usable() throws SQLException {
        try (SqliteStore store = new SqliteStore(limitedTo(SqliteStore.dataSource(file), 60), SqliteOptions.DEFAULT)) {
            Lease large = ((ClaimAnswer.Granted) await(store.claim(request("large")))).lease();
            byte[] mebibyte = new byte[1024 * 1024];
            new Random(1).nextBytes(mebibyte);
            assertThatThrownBy(
                            () -> await(store.settle(large, new Outcome.Completed(Response.of(mebibyte)), RETENTION)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("the disk is full");
            assertThat(await(store.find(id("large"))).orElseThrow().response()).isNull();
            assertThat(await(store.settle(large, new Outcome.Unknown("not_stored"), RETENTION)))
                    .isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    private static DataSource limitedTo(DataSource inner, int pages) {
        return Connections.eachOf(inner, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA max_page_count = " + pages);
            }
        });
    }

    @Test
    void a_negative_limit_of_pruning_is_refused_and_not_taken_for_none() {
        try (SqliteStore store = SqliteStore.open(file)) {
            assertThatThrownBy(() -> store.prune(-1, Expiry.DELETE)).isInstanceOf(IllegalArgumentException.class);
            assertThat(store.prune(0, Expiry.DELETE)).isZero();
        }
    }

    @Test
    void a_closed_store_says_so() {
        SqliteStore store = SqliteStore.open(file);
        store.close();
        assertThatThrownBy(() -> await(store.claim(request("k"))))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("the store is closed");
    }

    @Test
    void an_interrupted_caller_gets_a_fault_and_stays_interrupted() {
        try (SqliteStore store = SqliteStore.open(file)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> await(store.claim(request("k"))))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"1700000000.001,1700000000001000", "1700000000.123,1700000000123000", "1763244000.999,1763244000999000"
    })
    void the_clock_loses_no_millisecond_to_a_binary_fraction(double seconds, long micros) throws SQLException {
        DataSource standing = Connections.eachOf(
                SqliteStore.dataSource(file),
                connection -> Function.create(connection, "unixepoch", new Function() {
                    @Override
                    protected void xFunc() throws SQLException {
                        result(seconds);
                    }
                }));
        try (SqliteConnection connection = SqliteConnection.open(standing, Duration.ofSeconds(1))) {
            assertThat(connection.clock()).isEqualTo(Micros.instant(micros));
        }
    }
}
