package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A restored backup, as docs/how-to/back-up.md says,")
class BackUpPageIT {

    private static final Path PAGE = Path.of("..", "docs", "how-to", "back-up.md");
    private static final long RAISED = 1_000_000;

    @TempDir
    Path directory;

    private final AtomicInteger effects = new AtomicInteger();

    @Test
    void has_the_records_of_its_point_in_sqlite() throws Exception {
        Path file = directory.resolve("semel.db");
        Path copy = directory.resolve("copy.db");
        assertThat(Files.readString(PAGE)).contains("`sqlite3 semel.db \".backup copy.db\"`");
        useWhileBackedUp("sqlite:" + file, () -> {
            // What the program sqlite3 does for .backup, by the driver.
            executeSqlite(file, "backup to '" + copy + "'");
        });

        assertRestored("sqlite:" + copy);
        executeSqlite(copy, raisingStatement("SQLite"));
        assertFenceIsRaised("sqlite:" + copy);
    }

    @Test
    void has_the_records_of_its_point_in_mariadb() throws Exception {
        MariadbServer server = MariadbServer.shared();
        String database = server.newDatabase();
        String restored = server.newDatabase();
        Path dump = directory.resolve("dump.sql");
        assertThat(Files.readString(PAGE)).contains("`mariadb-dump --single-transaction`");
        useWhileBackedUp(
                database,
                () -> runProgram(
                        server.program("mariadb-dump"),
                        database,
                        ProcessBuilder.Redirect.PIPE,
                        dump,
                        "--single-transaction"));
        runProgram(
                server.program("mariadb"),
                restored,
                ProcessBuilder.Redirect.from(dump.toFile()),
                directory.resolve("restore.txt"));

        assertRestored(restored);
        MariadbServer.execute(restored, raisingStatement("MySQL, MariaDB"));
        assertFenceIsRaised(restored);
    }

    @Test
    void can_have_its_fences_raised_in_postgresql() throws Exception {
        String database = PostgresServer.shared().newDatabase();
        try (SemelEngine semel = SemelEngine.on(Stores.open(database)).build()) {
            charge(semel, "before");
        }
        PostgresServer.query(database, raisingStatement("PostgreSQL"));

        assertFenceIsRaised(database);
    }

    /** @param backUp is called while a request is in progress */
    private void useWhileBackedUp(String uri, Runnable backUp) {
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri)).build()) {
            charge(semel, "before");
            semel.execute(intent("running"), Codec.text(), attempt -> {
                backUp.run();
                return "charged";
            });
            charge(semel, "after");
        }
        assertThat(effects).hasValue(2);
    }

    /** The rows of the table "What a restore changes". */
    private void assertRestored(String uri) {
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri)).build()) {
            assertThat(charge(semel, "before")).isInstanceOf(Execution.Replayed.class);
            assertThat(charge(semel, "running")).isInstanceOf(Execution.Refused.class);
            assertThat(effects).hasValue(2);
            assertThat(charge(semel, "after")).isInstanceOf(Execution.Ran.class);
        }
    }

    private void assertFenceIsRaised(String uri) {
        try (Store store = Stores.open(uri)) {
            SemelEngine semel = SemelEngine.on(store).build();
            charge(semel, "later");
            assertThat(store.blocking().find(Identity.of("acme", "later")))
                    .hasValueSatisfying(record -> assertThat(record.fence()).isGreaterThanOrEqualTo(RAISED));
        }
    }

    private Execution<String> charge(SemelEngine semel, String key) {
        return semel.execute(intent(key), Codec.text(), attempt -> "charge " + effects.incrementAndGet());
    }

    private static Intent intent(String key) {
        return Intent.of(
                Operation.named("charge"),
                Scope.of("acme"),
                Key.of(key),
                Fingerprinter.sha256().ofText("100 EUR"));
    }

    private static String raisingStatement(String store) throws IOException {
        Matcher row =
                Pattern.compile("\\| " + store + " \\| `([^`]*)…([^`]*)` \\|").matcher(Files.readString(PAGE));
        assertThat(row.find()).as("a statement for " + store).isTrue();
        return row.group(1) + RAISED + row.group(2).replace(";", "");
    }

    private static void executeSqlite(Path file, String sql) {
        try (Connection connection = SqliteStore.dataSource(file).getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static void runProgram(
            Path program, String uri, ProcessBuilder.Redirect input, Path output, String... options) {
        URI database = URI.create(uri);
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--host=127.0.0.1",
                "--port=" + database.getPort(),
                "--user=semel",
                "--password=semel",
                "--skip-ssl"));
        command.addAll(List.of(options));
        command.add(database.getPath().substring(1));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(input)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            assertThat(builder.start().waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(program.toString(), e);
        }
    }
}
