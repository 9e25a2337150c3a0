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

/** Checks the settings of a PostgreSQL server, for this user and database. */
final class PostgresCheck {

    private PostgresCheck() {}

    /** A setting that must not be off, and the consequence if it is. */
    private record Setting(String name, String whileOff) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "fsync",
                    "writes are not forced to disk, so a crash of the machine can corrupt the database:"
                            + " set fsync = on in postgresql.conf"),
            new Setting(
                    "full_page_writes",
                    "a page that a crash left half-written cannot be repaired:"
                            + " set full_page_writes = on in postgresql.conf"),
            new Setting(
                    "synchronous_commit",
                    "commits are acknowledged before they are on disk, so a crash loses the last records, and their"
                            + " operations execute again: set synchronous_commit = on, at least for this user or database"));

    /** @throws StoreException when the server cannot be queried */
    static List<CheckResult> of(StoreUri.Postgresql uri) {
        try (HikariDataSource dataSource = uri.dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            List<CheckResult> findings = new ArrayList<>();
            findings.add(CheckResult.good("PostgreSQL " + show(statement, "server_version")));
            findings.add(
                    query(statement, "SELECT pg_is_in_recovery()").equals("t")
                            ? CheckResult.bad("a read replica, whose records can be out of date: use the primary")
                            : CheckResult.good("a primary, not a replica"));
            for (Setting setting : SETTINGS) {
                String value = show(statement, setting.name());
                String text = setting.name() + " = " + value;
                findings.add(
                        value.equals("off")
                                ? CheckResult.bad(text + ": " + setting.whileOff())
                                : CheckResult.good(text));
            }
            return findings;
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreException(uri + ": cannot query PostgreSQL: " + cause.getMessage(), e);
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        return query(statement, "SHOW " + setting);
    }

    private static String query(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
