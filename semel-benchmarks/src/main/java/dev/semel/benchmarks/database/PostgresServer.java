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

/** PostgreSQL as a server of this run's own, which keeps what it confirms. */
final class PostgresServer {

    /** Every contender has a pool of its own, and only one of them is busy at a time. */
    private static final String CONNECTIONS = "400";

    /** What anybody sets who runs PostgreSQL for more than a try: its defaults are for the smallest machines. */
    private static final String SHARED_BUFFERS = "512MB";

    private static final String MAX_WAL_SIZE = "4GB";

    /** What PostgreSQL allows. */
    static final int LONGEST_SYNC_DELAY_MICROS = 100_000;

    private static final long STOP_SECONDS = 30;

    private PostgresServer() {}

    /**
     * Starts one. With a delay, whoever syncs the log waits so long before it does, and whoever comes meanwhile waits too: as
     * on a disk that takes longer. PostgreSQL has it for other reasons.
     */
    static OwnServer start(int syncDelayMicros) throws IOException, SQLException {
        return OwnServer.start(directory -> launched(directory, syncDelayMicros));
    }

    private static OwnServer.Running launched(Path directory, int syncDelayMicros) throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("commit_delay", Integer.toString(syncDelayMicros))
                .setServerConfig("commit_siblings", "0")
                .setServerConfig("max_connections", CONNECTIONS)
                .setServerConfig("shared_buffers", SHARED_BUFFERS)
                .setServerConfig("max_wal_size", MAX_WAL_SIZE)
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        try {
            Optional<ProcessHandle> postmaster =
                    ProcessHandle.of(Long.parseLong(Files.readAllLines(directory.resolve("data/postmaster.pid"))
                            .get(0)
                            .strip()));
            PostgresDatabases databases = new PostgresDatabases((StoreUri.Postgresql)
                    StoreUri.parse("postgresql://postgres@localhost:" + server.getPort() + "/postgres"));
            return new OwnServer.Running(databases, () -> stop(server, directory, postmaster));
        } catch (IOException | SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static void stop(EmbeddedPostgres server, Path directory, Optional<ProcessHandle> postmaster)
            throws IOException {
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
    }
}
