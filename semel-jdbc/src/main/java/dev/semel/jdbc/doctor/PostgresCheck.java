package dev.semel.jdbc.doctor;

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

    static List<DatabaseFinding> of(Statement statement) throws SQLException {
        List<DatabaseFinding> findings = new ArrayList<>();
        findings.add(DatabaseFinding.good("PostgreSQL " + show(statement, "server_version")));
        findings.add(
                query(statement, "SELECT pg_is_in_recovery()").equals("t")
                        ? DatabaseFinding.bad("a read replica, whose records can be out of date: use the primary")
                        : DatabaseFinding.good("a primary, not a replica"));
        for (Setting setting : SETTINGS) {
            String value = show(statement, setting.name());
            String text = setting.name() + " = " + value;
            findings.add(
                    value.equals("off")
                            ? DatabaseFinding.bad(text + ": " + setting.whileOff())
                            : DatabaseFinding.good(text));
        }
        addSearchIndex(statement, findings);
        return findings;
    }

    /** Only searches need it, so that its absence is no fault of a store. */
    private static void addSearchIndex(Statement statement, List<DatabaseFinding> findings) throws SQLException {
        if (query(statement, "SELECT to_regclass('semel_record') IS NULL").equals("t")) {
            return;
        }
        String usable = "SELECT EXISTS (SELECT FROM pg_index i"
                + " WHERE i.indexrelid = to_regclass('semel_record_search') AND i.indisvalid)";
        findings.add(
                query(statement, usable).equals("t")
                        ? DatabaseFinding.good("the index for searches is there")
                        : DatabaseFinding.note(
                                "there is no valid index semel_record_search, so that searches are refused: a"
                                        + " store adds it when it starts with schemaMode=create; or run what `semel schema"
                                        + " postgresql` prints for it, with CONCURRENTLY on a table that is in use, after DROP INDEX"
                                        + " CONCURRENTLY IF EXISTS semel_record_search"));
        if (query(statement, "SELECT to_regclass('semel_record_claimed') IS NOT NULL")
                .equals("t")) {
            findings.add(
                    DatabaseFinding.note("the index semel_record_claimed of earlier releases costs every claim, and"
                            + " nothing reads it: run DROP INDEX CONCURRENTLY semel_record_claimed"));
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
