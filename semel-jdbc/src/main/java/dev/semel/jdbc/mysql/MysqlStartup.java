package dev.semel.jdbc.mysql;

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

/** What a store checks before it works on MySQL or MariaDB: that it keeps what it confirms, and has the tables. */
final class MysqlStartup {

    private static final String DEFECTS = Sql.file("mysql/defects.sql");
    private static final String PRIVILEGES = Sql.file("mysql/privileges.sql");
    private static final String TOMBSTONE_PRIVILEGES = Sql.file("mysql/tombstone-privileges.sql");

    /** Serializes the creation of the tables by processes that start at once; a minute is more than they take. */
    private static final String LOCK = "SELECT GET_LOCK(CONCAT('semel ', MD5(DATABASE())), 60)";

    private static final String UNLOCK = "SELECT RELEASE_LOCK(CONCAT('semel ', MD5(DATABASE())))";

    private static final String TABLES =
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()";

    private MysqlStartup() {}

    /** A server that a store can work on, and what there is of tombstones. */
    record Ready(MysqlSettings settings, TombstoneTable tombstones) {}

    /** Creates the tables where wanted, and checks them and the server. */
    static Ready prepare(DataSource dataSource, MysqlOptions options) {
        try (Connection connection = connect(dataSource);
                Statement statement = connection.createStatement()) {
            MysqlSettings settings = MysqlSettings.of(statement);
            settings.check(options.acceptUnsafeDurability());
            if (options.schemaMode() == SchemaMode.CREATE && versions(statement).isEmpty()) {
                create(statement);
            }
            requireCreated(statement);
            if (options.schemaMode() == SchemaMode.CREATE) {
                addSearchIndex(statement);
                addTombstones(statement);
            }
            validate(statement);
            run(statement, PRIVILEGES);
            return new Ready(settings, tombstones(statement, options));
        } catch (SQLException e) {
            throw MysqlFaults.of("start", e);
        }
    }

    private static Connection connect(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw MysqlFaults.noConnection(dataSource, e);
        }
    }

    /** What is installed here: nothing, or a version. */
    private static List<Integer> versions(Statement statement) throws SQLException {
        List<Integer> versions = new ArrayList<>();
        if (ask(statement, TABLES + " AND table_name = 'semel_schema'").equals("0")) {
            return versions;
        }
        try (ResultSet rows = statement.executeQuery("SELECT version FROM semel_schema ORDER BY version")) {
            while (rows.next()) {
                versions.add(rows.getInt("version"));
            }
        }
        return versions;
    }

    /** The version is written last: tables that a crash left incomplete are completed by the next start. */
    private static void create(Statement statement) throws SQLException {
        statement.execute(LOCK);
        try {
            run(statement, Sql.schema("mysql"));
        } catch (SQLException e) {
            if (MysqlFaults.isNotAllowed(e) && isAbsent(statement)) {
                throw new NotCreatedException(
                        "the tables are not created yet, and this user may not create them: as a"
                                + " user who may, run what `semel schema mysql` prints, and then " + grants(statement),
                        e);
            }
            throw e;
        } finally {
            statement.execute(UNLOCK);
        }
    }

    /** Stores of earlier releases lack it. A user who may not add it keeps a store without searches. */
    private static void addSearchIndex(Statement statement) throws SQLException {
        if (isSearchIndexAbsent(statement)) {
            statement.execute(LOCK);
            try {
                if (isSearchIndexAbsent(statement)) {
                    run(statement, Sql.file("mysql/search-index.sql"));
                }
            } catch (SQLException e) {
                if (!MysqlFaults.isNotAllowed(e)) {
                    throw e;
                }
            } finally {
                statement.execute(UNLOCK);
            }
        }
    }

    private static boolean isSearchIndexAbsent(Statement statement) throws SQLException {
        return ask(
                        statement,
                        "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE()"
                                + " AND table_name = 'semel_record' AND index_name = '" + MysqlSearch.INDEX + "'")
                .equals("0");
    }

    /** Stores of earlier releases lack it. A user who may not create it keeps a store without tombstones. */
    private static void addTombstones(Statement statement) throws SQLException {
        if (isTombstoneTableAbsent(statement)) {
            try {
                run(statement, Sql.file("mysql/tombstone-table.sql"));
            } catch (SQLException e) {
                if (!MysqlFaults.isNotAllowed(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isTombstoneTableAbsent(Statement statement) throws SQLException {
        return ask(statement, TABLES + " AND table_name = 'semel_tombstone'").equals("0");
    }

    private static TombstoneTable tombstones(Statement statement, MysqlOptions options) throws SQLException {
        boolean usable = !isTombstoneTableAbsent(statement);
        if (usable) {
            try {
                run(statement, TOMBSTONE_PRIVILEGES);
            } catch (SQLException e) {
                if (!MysqlFaults.isNotAllowed(e)) {
                    throw e;
                }
                usable = false;
            }
        }
        TombstoneTable tombstones = new TombstoneTable(usable, options.tombstones());
        if (tombstones.keepsTombstones() && !usable) {
            throw new StoreException(TombstoneTable.missing("mysql"));
        }
        return tombstones;
    }

    private static void requireCreated(Statement statement) throws SQLException {
        if (isAbsent(statement)) {
            throw new NotCreatedException("the tables are not created yet: a store creates them when it starts with"
                    + " schemaMode=create and its user has CREATE; otherwise, as a user who may, run what"
                    + " `semel schema mysql` prints, and then " + grants(statement));
        }
    }

    /** Whether there is none of it, rather than a part. */
    private static boolean isAbsent(Statement statement) throws SQLException {
        return ask(statement, TABLES + " AND table_name IN ('semel_schema', 'semel_record', 'semel_audit')")
                .equals("0");
    }

    /** What a user who did not create the tables needs on them. */
    private static String grants(Statement statement) throws SQLException {
        String user = ask(
                statement,
                "SELECT CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',"
                        + " QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))");
        String database = ask(statement, "SELECT CONCAT('`', REPLACE(DATABASE(), '`', '``'), '`')");
        return "GRANT SELECT, INSERT, UPDATE, DELETE ON " + database + ".semel_record TO " + user
                + "; GRANT SELECT, INSERT, DELETE ON " + database + ".semel_audit TO " + user
                + "; GRANT SELECT, INSERT, UPDATE, DELETE ON " + database + ".semel_tombstone TO " + user
                + "; GRANT SELECT ON " + database + ".semel_schema TO " + user + ";";
    }

    private static String ask(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Runs statements one by one: the driver takes several in one text only with allowMultiQueries. */
    private static void run(Statement statement, String script) throws SQLException {
        for (String sql : script.split(";\\s*(?:\\R|$)", -1)) {
            if (!sql.isBlank()) {
                statement.execute(sql);
            }
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
                    + ". `semel schema mysql` prints the SQL that creates it");
        }
        List<Integer> versions = versions(statement);
        if (!versions.equals(List.of(Sql.SCHEMA_VERSION))) {
            throw new StoreException("the schema does not fit: semel_schema has version "
                    + (versions.isEmpty() ? "none" : versions) + ", this release needs " + Sql.SCHEMA_VERSION
                    + ". `semel schema mysql` prints the SQL that creates it");
        }
    }
}
