package dev.semel.jdbc.postgresql;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
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
    private static final String TOMBSTONES_USABLE = Sql.file("postgresql/tombstone-usable.sql");
    private static final String DEFECTS = Sql.file("postgresql/defects.sql");

    /** The first release with MATERIALIZED, which claim.sql needs. */
    private static final int OLDEST_SERVER = 120_000;

    /** Serializes the creation of the tables by processes that start at once; any number that no other application uses. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(7310305782105)";

    /** What a user who did not create the tables needs on them. */
    private static final String GRANTS = "GRANT SELECT, INSERT, UPDATE, DELETE ON semel_record TO USER;"
            + " GRANT SELECT ON semel_audit, semel_schema TO USER; GRANT USAGE ON SEQUENCE semel_fence TO USER;"
            + " GRANT USAGE, UPDATE ON SEQUENCE semel_prune, semel_deleted TO USER;"
            + " GRANT SELECT, INSERT, UPDATE, DELETE ON semel_tombstone TO USER;"
            + " GRANT EXECUTE ON FUNCTION semel_history(semel_record) TO USER;";

    private PostgresStartup() {}

    /** Creates the tables where wanted, checks them and the server, and says what there is of tombstones. */
    static TombstoneTable prepare(DataSource dataSource, PostgresOptions options) {
        try (Connection connection = connect(dataSource);
                Statement statement = connection.createStatement()) {
            if (!connection.getAutoCommit()) {
                // The server refuses this within a transaction, which would be the application's, and which autocommit
                // would commit.
                connection.setReadOnly(connection.isReadOnly());
                connection.setAutoCommit(true);
            }
            checkServer(statement, options.acceptUnsafeDurability());
            if (options.schemaMode() == SchemaMode.CREATE && versions(statement).isEmpty()) {
                create(connection, statement);
            }
            requireCreated(statement);
            if (options.schemaMode() == SchemaMode.CREATE) {
                PostgresSearchIndex.add(statement);
                addTombstones(connection, statement);
            }
            validate(statement);
            return tombstones(statement, options);
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
            statement.execute(Sql.schema("postgresql"));
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            if (PostgresFaults.isNotAllowed(e) && isAbsent(statement)) {
                throw new NotCreatedException(notCreated(statement, false), e);
            }
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /** Stores of earlier releases lack them. A user who may not create them keeps a store without tombstones. */
    private static void addTombstones(Connection connection, Statement statement) throws SQLException {
        addIfAbsent(connection, statement, "semel_tombstone", "postgresql/tombstone-table.sql");
    }

    private static TombstoneTable tombstones(Statement statement, PostgresOptions options) throws SQLException {
        TombstoneTable tombstones =
                new TombstoneTable(Boolean.parseBoolean(ask(statement, TOMBSTONES_USABLE)), options.tombstones());
        if (tombstones.keepsTombstones() && !tombstones.present()) {
            throw new StoreException(TombstoneTable.missing("postgresql"));
        }
        return tombstones;
    }

    private static void addIfAbsent(Connection connection, Statement statement, String name, String file)
            throws SQLException {
        if (Boolean.parseBoolean(ask(statement, "SELECT (to_regclass('" + name + "') IS NULL)::text"))) {
            connection.setAutoCommit(false);
            try {
                statement.execute(LOCK);
                statement.execute(Sql.file(file));
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                if (!PostgresFaults.isNotAllowed(e)) {
                    throw e;
                }
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void requireCreated(Statement statement) throws SQLException {
        if (isAbsent(statement)) {
            throw new NotCreatedException(notCreated(statement, mayCreate(statement)));
        }
    }

    /** Whether there is none of it, rather than a part. */
    private static boolean isAbsent(Statement statement) throws SQLException {
        return Boolean.parseBoolean(ask(
                statement,
                "SELECT (coalesce(to_regclass('semel_schema'), to_regclass('semel_record')) IS NULL)::text"));
    }

    private static boolean mayCreate(Statement statement) throws SQLException {
        return Boolean.parseBoolean(
                ask(statement, "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)::text"));
    }

    /** What to do about tables that are not there: grants on them alone would not help. */
    private static String notCreated(Statement statement, boolean mayCreate) throws SQLException {
        if (mayCreate) {
            return "the tables are not created yet: a store creates them when it starts with schemaMode=create, or run"
                    + " what `semel schema postgresql` prints";
        }
        String user = ask(statement, "SELECT quote_ident(current_user)");
        return "the tables are not created yet, and " + user + " may not create them: as the owner of the database, run"
                + " what `semel schema postgresql` prints, and then " + GRANTS.replace("USER", user);
    }

    private static String ask(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
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
        if (!versions.equals(List.of(Sql.SCHEMA_VERSION))) {
            throw new StoreException("the schema does not fit: semel_schema has version "
                    + (versions.isEmpty() ? "none" : versions) + ", this release needs " + Sql.SCHEMA_VERSION
                    + ". `semel schema postgresql` prints the SQL that creates it");
        }
    }
}
