package dev.semel.benchmarks.database;

import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A PostgreSQL server of this run's own, which keeps what it confirms and is gone when the run is over. */
final class PostgresServer implements Databases {

    /** Every contender has a pool of its own, and only one of them is busy at a time. */
    private static final String CONNECTIONS = "400";

    /** What anybody sets who runs PostgreSQL for more than a try: its defaults are for the smallest machines. */
    private static final String SHARED_BUFFERS = "512MB";

    private static final String MAX_WAL_SIZE = "4GB";

    private static final long STOP_SECONDS = 30;

    private final Path directory;
    private final EmbeddedPostgres server;
    private final Optional<ProcessHandle> postmaster;
    private final PostgresDatabases databases;

    private PostgresServer(Path directory, EmbeddedPostgres server) throws IOException, SQLException {
        this.directory = directory;
        this.server = server;
        this.postmaster = ProcessHandle.of(Long.parseLong(Files.readAllLines(directory.resolve("data/postmaster.pid"))
                .get(0)
                .strip()));
        this.databases = new PostgresDatabases((StoreUri.Postgresql)
                StoreUri.parse("postgresql://postgres@localhost:" + server.getPort() + "/postgres"));
    }

    static PostgresServer start() throws IOException, SQLException {
        Path directory = Files.createTempDirectory("semel-bench-");
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setDataDirectory(directory.resolve("data"))
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", CONNECTIONS)
                    .setServerConfig("shared_buffers", SHARED_BUFFERS)
                    .setServerConfig("max_wal_size", MAX_WAL_SIZE)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            return new PostgresServer(directory, server);
        } catch (IOException | SQLException | RuntimeException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    public String description() {
        return databases.description() + ", started for this run";
    }

    @Override
    public Database create(String name) throws SQLException {
        return databases.create(name);
    }

    @Override
    public void close() throws IOException {
        server.close();
        // When the process is being ended, the library stops the server too, and the files may go only after that.
        if (postmaster.isPresent()) {
            try {
                postmaster.get().onExit().get(STOP_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("the PostgreSQL server in " + directory + " does not stop", e);
            }
        }
        Directories.delete(directory);
    }
}
