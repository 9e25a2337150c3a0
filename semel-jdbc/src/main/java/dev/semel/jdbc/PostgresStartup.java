package dev.semel.jdbc;

import dev.semel.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What a store checks before it works on a PostgreSQL server: that it keeps what it confirms, and has the tables. */
final class PostgresStartup {

    private static final String SETTINGS = Sql.file("postgresql/settings.sql");
    private static final String DEFECTS = Sql.file("postgresql/defects.sql");

    /** The first release that knows MATERIALIZED, which claim.sql needs. */
    private static final int OLDEST_SERVER = 120_000;

    /** Serializes the creation of the tables by processes that start at once; any number that nobody else uses. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(7310305782105)";

    private PostgresStartup() {}

    static void prepare(DataSource dataSource, PostgresOptions options) {
        try (Connection connection = connect(dataSource);
                Statement statement = connection.createStatement()) {
            if (!connection.getAutoCommit()) {
                // Refused within a transaction, which is somebody else's and which autocommit would commit.
                connection.setReadOnly(connection.isReadOnly());
                connection.setAutoCommit(true);
            }
            checkServer(statement, options.acceptUnsafeDurability());
            if (options.schemaMode() == SchemaMode.CREATE && versions(statement).isEmpty()) {
                create(connection, statement);
            }
            validate(statement);
        } catch (SQLException e) {
            throw PostgresFaults.of("start", e);
        }
    }

    private static Connection connect(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw PostgresFaults.noConnection(dataSource, e);
        }
    }

    private static void checkServer(Statement statement, boolean acceptUnsafeDurability) throws SQLException {
        try (ResultSet row = statement.executeQuery(SETTINGS)) {
            row.next();
            if (row.getInt("version") < OLDEST_SERVER) {
                throw new StoreException("this PostgreSQL server is too old: Semel needs version 12 or newer");
            }
            if (row.getBoolean("in_recovery")) {
                throw new StoreException(
                        "this PostgreSQL server is a read replica: what it says about a key may be out of"
                                + " date; connect to the primary");
            }
            if (row.getBoolean("read_only")) {
                throw new StoreException("PostgreSQL lets this session only read: connect to the primary, and turn"
                        + " default_transaction_read_only off for this user and database");
            }
            if (!row.getString("encoding").equals("UTF8")) {
                throw new StoreException("this database's encoding is " + row.getString("encoding")
                        + ", which cannot hold every key: create it with ENCODING 'UTF8'");
            }
            for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
                if (row.getString(setting).equals("off") && !acceptUnsafeDurability) {
                    throw new StoreException("PostgreSQL runs with " + setting
                            + " = off: after a crash it may have lost records that it had confirmed, and a lost record is"
                            + " executed again. Turn " + setting
                            + " on, or accept the risk with acceptUnsafeDurability=true");
                }
            }
        }
    }

    /** What is installed here: nothing, or a version. */
    private static List<Integer> versions(Statement statement) throws SQLException {
        List<Integer> versions = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("SELECT to_regclass('semel_schema') IS NULL AS absent")) {
            row.next();
            if (row.getBoolean("absent")) {
                return versions;
            }
        }
        try (ResultSet rows = statement.executeQuery("SELECT version FROM semel_schema ORDER BY version")) {
            while (rows.next()) {
                versions.add(rows.getInt("version"));
            }
        }
        return versions;
    }

    private static void create(Connection connection, Statement statement) throws SQLException {
        connection.setAutoCommit(false);
        try {
            statement.execute(LOCK);
            statement.execute(JdbcSchema.ddl("postgresql"));
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void validate(Statement statement) throws SQLException {
        List<String> defects = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(DEFECTS)) {
            while (rows.next()) {
                defects.add(rows.getString("defect"));
            }
        }
        if (!defects.isEmpty()) {
            throw new StoreException("the schema does not fit: " + String.join("; ", defects)
                    + ". `semel schema postgresql` prints the SQL that creates it");
        }
        List<Integer> versions = versions(statement);
        if (!versions.equals(List.of(JdbcSchema.VERSION))) {
            throw new StoreException("the schema does not fit: semel_schema has version "
                    + (versions.isEmpty() ? "none" : versions) + ", this release needs " + JdbcSchema.VERSION
                    + ". `semel schema postgresql` prints the SQL that creates it");
        }
    }
}
