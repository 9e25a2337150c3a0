package dev.semel.jdbc.doctor;

import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Checks the file and the settings of a SQLite database. */
final class SqliteCheck {

    private SqliteCheck() {}

    /** @throws StoreException when there is no such file or directory, or the file is no database */
    static List<DatabaseFinding> ofFile(StoreUri.Sqlite uri) {
        Path path = uri.path().toAbsolutePath();
        if (!Files.exists(path)) {
            return List.of(ofDirectory(uri, path));
        }
        if (!Files.isRegularFile(path)) {
            throw new StoreException(uri + ": this is no regular file");
        }
        List<DatabaseFinding> findings = new ArrayList<>();
        findings.add(
                Files.isWritable(path)
                        ? DatabaseFinding.good("the file is writable")
                        : DatabaseFinding.bad(
                                "this user cannot write the file, so every claim fails: change its permissions"));
        findings.addAll(query(uri, statement -> {
            String check = query(statement, "PRAGMA quick_check(1)");
            return List.of(
                    check.equals("ok")
                            ? DatabaseFinding.good("the file is intact")
                            : DatabaseFinding.bad("the file is damaged: " + check + ": restore it from a backup"));
        }));
        findings.addAll(ofSettings(uri));
        return findings;
    }

    /** @throws StoreException when the file is no database */
    static List<DatabaseFinding> ofSettings(StoreUri.Sqlite uri) {
        return query(uri, SqliteCheck::of);
    }

    private interface Check {
        List<DatabaseFinding> on(Statement statement) throws SQLException;
    }

    /** On a plain connection: those of a store set what they need. */
    private static List<DatabaseFinding> query(StoreUri.Sqlite uri, Check check) {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + uri.path().toAbsolutePath());
                Statement statement = connection.createStatement()) {
            return check.on(statement);
        } catch (SQLException e) {
            throw new StoreException(uri + ": SQLite cannot read this file: " + e.getMessage(), e);
        }
    }

    static List<DatabaseFinding> of(Statement statement) throws SQLException {
        List<DatabaseFinding> findings = new ArrayList<>();
        findings.add(DatabaseFinding.good("SQLite " + query(statement, "SELECT sqlite_version()")));
        String journal = query(statement, "PRAGMA journal_mode");
        findings.add(
                journal.equals("off") || journal.equals("memory")
                        ? DatabaseFinding.bad("journal_mode = " + journal
                                + ": a crash during a write damages the file; use WAL or DELETE")
                        : DatabaseFinding.good("journal_mode = " + journal));
        return findings;
    }

    /** Checks the directory where the file will be created. */
    private static DatabaseFinding ofDirectory(StoreUri.Sqlite uri, Path path) {
        Path directory = path.getParent();
        while (directory != null && !Files.exists(directory)) {
            directory = directory.getParent();
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new StoreException(uri + ": the path has no directory");
        }
        return Files.isWritable(directory)
                ? DatabaseFinding.good("the directory " + directory + " is writable")
                : DatabaseFinding.bad("this user cannot write the directory " + directory
                        + ", so the file cannot be created: change its" + " permissions");
    }

    private static String query(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
