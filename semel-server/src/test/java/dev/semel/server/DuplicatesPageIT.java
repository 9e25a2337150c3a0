package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The query for duplicates in docs/how-to/duplicates.md finds requests under two keys in")
class DuplicatesPageIT {

    private static final Path PAGE = Path.of("..", "docs", "how-to", "duplicates.md");
    private static final Pattern QUERY =
            Pattern.compile("(?ms)^(PostgreSQL|MySQL and MariaDB|SQLite)[^\n]*:\n\n```sql\n(.*?);\n```");

    private static final String LONG_AGO_IN_MICROSECONDS =
            "UPDATE semel_record SET created_at = created_at - 3600000000 WHERE operation = 'ship'";

    @TempDir
    Path directory;

    @Test
    void postgresql() throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        try (HikariDataSource database = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource()) {
            assertFound(
                    "PostgreSQL",
                    uri,
                    database,
                    "UPDATE semel_record SET created_at = created_at - interval '1 hour' WHERE operation = 'ship'");
        }
    }

    @Test
    void mariadb() throws Exception {
        String uri = MariadbServer.shared().newDatabase();
        try (HikariDataSource database = ((StoreUri.Mysql) StoreUri.parse(uri)).dataSource()) {
            assertFound("MySQL and MariaDB", uri, database, LONG_AGO_IN_MICROSECONDS);
        }
    }

    @Test
    void sqlite() throws Exception {
        Path file = directory.resolve("semel.db");
        assertFound("SQLite", "sqlite:" + file, SqliteStore.dataSource(file), LONG_AGO_IN_MICROSECONDS);
    }

    private static void assertFound(String name, String uri, DataSource database, String longAgo) throws Exception {
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri)).build()) {
            execute(semel, "ship", "acme", "s-1", "a lamp");
            run(database, longAgo);
            execute(semel, "ship", "acme", "s-2", "a lamp");
            execute(semel, "pay", "acme", "p-1", "100 EUR");
            execute(semel, "pay", "acme", "p-2", "200 EUR");
            execute(semel, "pay", "globex", "p-3", "100 EUR");
            execute(semel, "refund", "acme", "p-4", "100 EUR");
            release(semel, "pay", "acme", "p-5", "100 EUR");
            assertThat(query(database, queryFor(name))).isEmpty();

            execute(semel, "pay", "acme", "p-6", "100 EUR");
        }
        assertThat(query(database, queryFor(name))).containsExactly("pay acme p-1 p-6");
    }

    private static void execute(SemelEngine semel, String operation, String scope, String key, String what) {
        semel.execute(intent(operation, scope, key, what), Codec.text(), attempt -> "done")
                .orThrow();
    }

    private static void release(SemelEngine semel, String operation, String scope, String key, String what) {
        try {
            semel.execute(intent(operation, scope, key, what), Codec.text(), attempt -> {
                throw new NotExecutedException("no effect");
            });
        } catch (NotExecutedException expected) {
            // The key is released.
        }
    }

    private static Intent intent(String operation, String scope, String key, String what) {
        return Intent.of(
                Operation.named(operation),
                Scope.of(scope),
                Key.of(key),
                Fingerprinter.sha256().ofText(what));
    }

    private static String queryFor(String database) throws IOException {
        return QUERY.matcher(Files.readString(PAGE))
                .results()
                .filter(match -> match.group(1).equals(database))
                .map((MatchResult match) -> match.group(2))
                .findFirst()
                .orElseThrow();
    }

    private static void run(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    private static List<String> query(DataSource database, String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString("operation") + " " + rows.getString("scope") + " "
                        + rows.getString("earlier_key") + " " + rows.getString("key"));
                assertThat(rows.getString("apart")).isNotEmpty();
            }
        }
        return found;
    }
}
