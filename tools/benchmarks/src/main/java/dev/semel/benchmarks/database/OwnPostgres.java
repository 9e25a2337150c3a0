package dev.semel.benchmarks.database;

import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A PostgreSQL server that is started for the run and keeps what it confirms. */
final class OwnPostgres {

    /** Every contender has a pool of its own, and only one of them is busy at a time. */
    private static final String CONNECTIONS = "400";

    /** PostgreSQL's default is for the smallest machines. */
    private static final String SHARED_BUFFERS = "512MB";

    private static final String MAX_WAL_SIZE = "4GB";

    /** PostgreSQL's own limit. */
    static final int LONGEST_SYNC_DELAY_MICROS = 100_000;

    private OwnPostgres() {}

    /**
     * Starts one.
     *
     * @param syncDelayMicros how long a commit waits before it syncs the log, as on a slower disk; commits that arrive
     *     meanwhile share its sync
     */
    static OwnServer start(int syncDelayMicros) throws IOException, SQLException {
        return OwnServer.start(directory -> launched(directory, syncDelayMicros));
    }

    private static OwnServer.Running launched(Path directory, int syncDelayMicros) throws SQLException {
        PostgresServer server = PostgresServer.builder()
                .dataDirectory(directory.resolve("data"))
                .setting("commit_delay", Integer.toString(syncDelayMicros))
                .setting("commit_siblings", "0")
                .setting("max_connections", CONNECTIONS)
                .setting("shared_buffers", SHARED_BUFFERS)
                .setting("max_wal_size", MAX_WAL_SIZE)
                .start();
        try {
            PostgresDatabases databases = new PostgresDatabases((StoreUri.Postgresql) StoreUri.parse(server.uri()));
            return new OwnServer.Running(databases, server::close);
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }
}
