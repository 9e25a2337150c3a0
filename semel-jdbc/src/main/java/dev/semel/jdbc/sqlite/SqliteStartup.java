package dev.semel.jdbc.sqlite;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What a store checks before it works on a SQLite file: that it keeps what it confirms, and has the tables. */
final class SqliteStartup {

    static final String SEARCH_INDEX = "semel_record_search";

    /** Earlier releases searched by it; it costs every claim, and nothing reads it. */
    private static final String DROP_EARLIER_INDEX = "DROP INDEX IF EXISTS semel_record_claimed";

    private static final String DEFECTS = Sql.file("sqlite/defects.sql");

    /** {@code PRAGMA synchronous}: FULL, which reaches the disk before a commit returns; EXTRA is the only one above. */
    private static final int FULL = 2;

    /** While several processes create one file, SQLite says "busy" without waiting: look again after this time. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private SqliteStartup() {}

    /** Opens the connection that writes, and makes sure that what it commits survives a crash. */
    static SqliteConnection openWriter(DataSource dataSource, Duration busyTimeout) throws SQLException {
        SqliteConnection writer = openPatiently(dataSource, busyTimeout);
        try {
            String journal = writer.text("PRAGMA journal_mode");
            if (!"wal".equals(journal)) {
                throw new StoreException("the SQLite file is in journal mode " + journal + " instead of wal:"
                        + " run PRAGMA journal_mode = wal on it once, and keep it on a local file system");
            }
            String synchronous = writer.text("PRAGMA synchronous");
            if (synchronous == null || Integer.parseInt(synchronous) < FULL) {
                throw new StoreException("SQLite runs with synchronous = " + synchronous
                        + ": a power failure could lose records that it had confirmed; use SqliteStore.dataSource");
            }
            return writer;
        } catch (SQLException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private static SqliteConnection openPatiently(DataSource dataSource, Duration busyTimeout) throws SQLException {
        for (long tries = busyTimeout.dividedBy(PAUSE); ; tries--) {
            try {
                return SqliteConnection.open(dataSource, busyTimeout);
            } catch (SQLException e) {
                if (!SqliteFaults.isBusy(e) || tries <= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Creates the tables where wanted, checks them, and says what there is of tombstones. */
    static TombstoneTable prepare(SqliteConnections connections, SqliteOptions options) {
        SchemaMode mode = options.schemaMode();
        boolean absent =
                connections.write("start", connection -> versions(connection).isEmpty());
        if (absent && mode == SchemaMode.CREATE) {
            connections.write("create its tables", connection -> {
                connection.execute(Sql.schema("sqlite"));
                return true;
            });
        }
        if (!absent && mode == SchemaMode.CREATE && connections.read("start", SqliteStartup::lacksSearchIndex)) {
            connections.write("add the index for searches", connection -> {
                connection.execute(Sql.file("sqlite/search-index.sql"));
                connection.execute(DROP_EARLIER_INDEX);
                return true;
            });
        }
        if (!absent && mode == SchemaMode.CREATE && connections.read("start", SqliteStartup::lacksTombstones)) {
            connections.write("add the table of tombstones", connection -> {
                connection.execute(Sql.file("sqlite/tombstone-table.sql"));
                return true;
            });
        }
        return connections.read("check its tables", connection -> {
            validate(connection);
            TombstoneTable tombstones = new TombstoneTable(!lacksTombstones(connection), options.tombstones());
            if (tombstones.keepsTombstones() && !tombstones.present()) {
                throw new StoreException(TombstoneTable.missing("sqlite"));
            }
            return tombstones;
        });
    }

    private static boolean lacksTombstones(SqliteConnection connection) throws SQLException {
        return connection.text("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'semel_tombstone'") == null;
    }

    static boolean hasSearchIndex(SqliteConnection connection) throws SQLException {
        return connection.text("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = '" + SEARCH_INDEX + "'")
                != null;
    }

    /** Whether there are tables without it: stores of earlier releases. */
    private static boolean lacksSearchIndex(SqliteConnection connection) throws SQLException {
        return connection.text("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'semel_record'") != null
                && !hasSearchIndex(connection);
    }

    private static List<Integer> versions(SqliteConnection connection) throws SQLException {
        List<Integer> versions = new ArrayList<>();
        if (connection.text("SELECT 1 FROM sqlite_master WHERE name = 'semel_schema'") == null) {
            return versions;
        }
        try (ResultSet rows = connection
                .prepare("SELECT version FROM semel_schema ORDER BY version")
                .executeQuery()) {
            while (rows.next()) {
                versions.add(rows.getInt("version"));
            }
        }
        return versions;
    }

    private static void validate(SqliteConnection connection) throws SQLException {
        if (connection.text("SELECT 1 FROM sqlite_master WHERE name IN ('semel_schema', 'semel_record')") == null) {
            throw new NotCreatedException("the tables are not created yet: a store creates them when it starts with"
                    + " schemaMode=create, or run what `semel schema sqlite` prints");
        }
        List<String> defects = new ArrayList<>();
        try (ResultSet rows = connection.prepare(DEFECTS).executeQuery()) {
            while (rows.next()) {
                defects.add(rows.getString("defect"));
            }
        }
        if (!defects.isEmpty()) {
            throw new StoreException("the schema does not fit: " + String.join("; ", defects)
                    + ". `semel schema sqlite` prints the SQL that creates it");
        }
        List<Integer> versions = versions(connection);
        if (!versions.equals(List.of(Sql.SCHEMA_VERSION))) {
            throw new StoreException("the schema does not fit: semel_schema has version "
                    + (versions.isEmpty() ? "none" : versions) + ", this release needs " + Sql.SCHEMA_VERSION
                    + ". `semel schema sqlite` prints the SQL that creates it");
        }
    }
}
