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

/** What a SQLite file's condition means for records. */
final class SqliteCheckup {

    private SqliteCheckup() {}

    /** @throws StoreException when this cannot be the file, or it is not a database */
    static List<Finding> of(StoreUri.Sqlite uri) {
        Path path = uri.path().toAbsolutePath();
        if (!Files.exists(path)) {
            return List.of(ofDirectory(uri, path));
        }
        if (!Files.isRegularFile(path)) {
            throw new StoreException(uri + ": this is not a file");
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(
                Files.isWritable(path)
                        ? Finding.good("the file can be written")
                        : Finding.bad("the file cannot be written by this user: nothing can be claimed"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            findings.add(Finding.good("SQLite " + ask(statement, "SELECT sqlite_version()")));
            String check = ask(statement, "PRAGMA quick_check(1)");
            findings.add(
                    check.equals("ok")
                            ? Finding.good("the file is intact")
                            : Finding.bad("the file is damaged: " + check + ". Restore it from a backup"));
            String journal = ask(statement, "PRAGMA journal_mode");
            findings.add(
                    journal.equals("off") || journal.equals("memory")
                            ? Finding.bad(
                                    "journal_mode = " + journal + ": a crash in the middle of a write damages the file")
                            : Finding.good("journal_mode = " + journal));
            return findings;
        } catch (SQLException e) {
            throw new StoreException(uri + ": SQLite cannot read this file: " + e.getMessage(), e);
        }
    }

    /** Where the file is to be created, with its directories. */
    private static Finding ofDirectory(StoreUri.Sqlite uri, Path path) {
        Path directory = path.getParent();
        while (directory != null && !Files.exists(directory)) {
            directory = directory.getParent();
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new StoreException(uri + ": there is no directory for this file");
        }
        return Files.isWritable(directory)
                ? Finding.good("the directory " + directory + " can be written")
                : Finding.bad(
                        "the directory " + directory + " cannot be written by this user: the file cannot be created");
    }

    private static String ask(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
