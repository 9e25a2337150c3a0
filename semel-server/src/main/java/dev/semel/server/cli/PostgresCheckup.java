package dev.semel.server.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a PostgreSQL server's settings mean for records, as this user and database have them. */
final class PostgresCheckup {

    private PostgresCheckup() {}

    /** A setting that must not be off, and what happens while it is. */
    private record Setting(String name, String whileOff) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "fsync",
                    "nothing is forced to disk; after a crash of the machine the database may be lost or corrupt."
                            + " Set fsync = on in postgresql.conf"),
            new Setting(
                    "full_page_writes",
                    "a page that a crash left half written cannot be repaired."
                            + " Set full_page_writes = on in postgresql.conf"),
            new Setting(
                    "synchronous_commit",
                    "commits are confirmed before they are on disk; a crash forgets the last of them, and a forgotten"
                            + " record is executed again. Set synchronous_commit = on, for this user or database at least"));

    /** @throws StoreException when the server cannot be asked */
    static List<Finding> of(StoreUri.Postgresql uri) {
        try (HikariDataSource dataSource = uri.dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.good("PostgreSQL " + show(statement, "server_version")));
            findings.add(
                    ask(statement, "SELECT pg_is_in_recovery()").equals("t")
                            ? Finding.bad(
                                    "a read replica: what it says about a key may be out of date. Use the primary")
                            : Finding.good("a primary, not a replica"));
            for (Setting setting : SETTINGS) {
                String value = show(statement, setting.name());
                String text = setting.name() + " = " + value;
                findings.add(value.equals("off") ? Finding.bad(text + ": " + setting.whileOff()) : Finding.good(text));
            }
            return findings;
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreException(uri + ": PostgreSQL cannot be asked: " + cause.getMessage(), e);
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        return ask(statement, "SHOW " + setting);
    }

    private static String ask(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
