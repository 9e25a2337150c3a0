package dev.semel.testsupport.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server on a free port of loopback that keeps what it confirms.
 *
 * <p>URIs are those of stores: {@code postgresql://postgres@localhost:PORT/DATABASE}. The user is a superuser.
 */
public final class PostgresServer implements AutoCloseable {

    /** The library's own settings are the opposite: it is made for tests that keep nothing. */
    private static final Map<String, String> DURABLE =
            Map.of("fsync", "on", "full_page_writes", "on", "synchronous_commit", "on");

    /** Parameters of a store's URI: a connection may take as long to open as it does on a busy machine. */
    public static final String PATIENT = "connectTimeout=120&loginTimeout=120";

    private static final String USER = "postgres";

    /** Holds the number of the server's first process while it runs. */
    private static final String PID_FILE = "postmaster.pid";

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Builder builder;
    private EmbeddedPostgres server;

    private PostgresServer(Builder builder) {
        this.builder = builder;
        this.server = builder.launch(0);
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        // Autovacuum would change plans and counts that tests measure.
        static final PostgresServer SERVER =
                builder().setting("autovacuum", "off").start();
    }

    /** The server that all tests of this JVM share. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Starts a server in a temporary directory. */
    public static PostgresServer start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** What a server is started with. */
    public static final class Builder {

        private final Map<String, String> settings = new LinkedHashMap<>(DURABLE);
        private Consumer<Path> preparation = data -> {};
        private @Nullable Path data;

        private Builder() {}

        /** A line of {@code postgresql.conf}. */
        public Builder setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /** Where the server's files are, also after it is closed; such a server can be killed and restarted. */
        public Builder dataDirectory(Path directory) {
            data = directory;
            return this;
        }

        /** Changes the data directory after it was initialized and before the server starts on it. */
        public Builder prepare(Consumer<Path> change) {
            preparation = change;
            return this;
        }

        public PostgresServer start() {
            return new PostgresServer(this);
        }

        /**
         * The one place that starts a PostgreSQL server.
         *
         * @param port 0 for any that is free
         */
        private EmbeddedPostgres launch(int port) {
            EmbeddedPostgres.Builder library = EmbeddedPostgres.builder()
                    .setPGStartupWait(Await.LONGEST)
                    .setDataDirectoryCustomizer(directory -> preparation.accept(directory.toPath()));
            settings.forEach(library::setServerConfig);
            if (data != null) {
                library.setDataDirectory(data).setCleanDataDirectory(false);
            }
            if (port != 0) {
                library.setPort(port);
            }
            try {
                return library.start();
            } catch (IOException e) {
                throw new UncheckedIOException("PostgreSQL did not start: " + e.getMessage(), e);
            }
        }
    }

    public int port() {
        return server.getPort();
    }

    /** The URI of the database that every server has. */
    public String uri() {
        return uri("postgres");
    }

    private String uri(String database) {
        return "postgresql://" + USER + "@localhost:" + port() + "/" + database;
    }

    /** Creates an empty database, and returns its URI. */
    public String newDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(uri(), "CREATE DATABASE " + name);
        return uri(name);
    }

    /** The JDBC URL of the database with this URI; the user is {@code postgres}, without a password. */
    public static String jdbcUrl(String uri) {
        return "jdbc:" + uri.replace(USER + "@", "");
    }

    /** Connections to the database with this URI; each is opened when it is asked for. */
    public static DataSource dataSource(String uri) {
        URI parsed = URI.create(uri);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {parsed.getHost()});
        source.setPortNumbers(new int[] {parsed.getPort()});
        source.setDatabaseName(parsed.getPath().substring("/".length()));
        source.setUser(USER);
        return source;
    }

    /** Runs SQL in the database with this URI. */
    public static void execute(String uri, String sql) {
        query(uri, sql);
    }

    /** Runs SQL in the database with this URI, and returns the first column of each row that it yields. */
    public static List<String> query(String uri, String sql) {
        try (Connection connection = dataSource(uri).getConnection()) {
            return query(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        List<String> column = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        column.add(rows.getString(1));
                    }
                }
            }
            return column;
        }
    }

    /** Waits until one statement in the database with this URI waits for a lock. */
    public static void awaitBlockedStatement(String uri) {
        String blocked = "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'";
        try (Connection connection = dataSource(uri).getConnection()) {
            Await.until(
                    "a statement that waits for a lock",
                    () -> query(connection, blocked).equals(List.of("1")));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops every process of the server with SIGSTOP: connections stay open, and none is answered. */
    public void pause() {
        ProcessHandle postmaster = runningPostmaster();
        // The postmaster first, so that it starts no other.
        Signals.pause(postmaster);
        postmaster.descendants().forEach(Signals::pause);
    }

    /** Lets a paused server continue; does nothing to one that was killed. */
    public void resume() {
        postmaster().ifPresent(postmaster -> {
            postmaster.descendants().forEach(Signals::resume);
            Signals.resume(postmaster);
        });
    }

    /** Ends every process of the server with SIGKILL. What it has confirmed is in its data directory. */
    public void kill() {
        ProcessHandle postmaster = runningPostmaster();
        List<ProcessHandle> all = new ArrayList<>(List.of(postmaster));
        postmaster.descendants().forEach(all::add);
        for (ProcessHandle process : all) {
            process.destroyForcibly();
            Await.end(process);
        }
        closeLibrary();
    }

    /** Stops the server. */
    public void stop() {
        Optional<ProcessHandle> postmaster = builder.data == null ? Optional.empty() : postmaster();
        closeLibrary();
        // When this JVM is being ended, the library's own hook stops the server at the same time.
        postmaster.ifPresent(Await::end);
    }

    /** Starts the server after {@link #stop} or {@link #kill}, on the same port and with the same data. */
    public void restart() {
        requireDataDirectory();
        server = builder.launch(port());
    }

    private void closeLibrary() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not stop: " + e.getMessage(), e);
        }
    }

    private ProcessHandle runningPostmaster() {
        return postmaster().orElseThrow(() -> new IllegalStateException("this server does not run"));
    }

    /** The server's first process, if it runs. */
    private Optional<ProcessHandle> postmaster() {
        Path file = requireDataDirectory().resolve(PID_FILE);
        try {
            return Files.exists(file)
                    ? ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(file).get(0).strip()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path requireDataDirectory() {
        if (builder.data == null) {
            throw new IllegalStateException(
                    "this server has no data directory of its own, so it cannot be killed, paused or restarted;"
                            + " start it with dataDirectory(...)");
        }
        return builder.data;
    }

    @Override
    public void close() {
        stop();
    }
}
