package dev.semel.server.cli;

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
    static List<CheckResult> of(StoreUri.Sqlite uri) {
        Path path = uri.path().toAbsolutePath();
        if (!Files.exists(path)) {
            return List.of(ofDirectory(uri, path));
        }
        if (!Files.isRegularFile(path)) {
            throw new StoreException(uri + ": this is no regular file");
        }
        List<CheckResult> findings = new ArrayList<>();
        findings.add(
                Files.isWritable(path)
                        ? CheckResult.good("the file is writable")
                        : CheckResult.bad(
                                "this user cannot write the file, so every claim fails: change its permissions"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            findings.add(CheckResult.good("SQLite " + query(statement, "SELECT sqlite_version()")));
            String check = query(statement, "PRAGMA quick_check(1)");
            findings.add(
                    check.equals("ok")
                            ? CheckResult.good("the file is intact")
                            : CheckResult.bad("the file is damaged: " + check + ": restore it from a backup"));
            String journal = query(statement, "PRAGMA journal_mode");
            findings.add(
                    journal.equals("off") || journal.equals("memory")
                            ? CheckResult.bad("journal_mode = " + journal
                                    + ": a crash during a write damages the file; use WAL or DELETE")
                            : CheckResult.good("journal_mode = " + journal));
            return findings;
        } catch (SQLException e) {
            throw new StoreException(uri + ": SQLite cannot read this file: " + e.getMessage(), e);
        }
    }

    /** Checks the directory where the file will be created. */
    private static CheckResult ofDirectory(StoreUri.Sqlite uri, Path path) {
        Path directory = path.getParent();
        while (directory != null && !Files.exists(directory)) {
            directory = directory.getParent();
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new StoreException(uri + ": the path has no directory");
        }
        return Files.isWritable(directory)
                ? CheckResult.good("the directory " + directory + " is writable")
                : CheckResult.bad("this user cannot write the directory " + directory
                        + ", so the file cannot be created: change its" + " permissions");
    }

    private static String query(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
