package dev.semel.examples.orderflow.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;

/** A PostgreSQL server that keeps what it confirms, for as long as this process lives. */
public final class OwnPostgres implements AutoCloseable {

    /** A machine that is busy with other things takes its time. */
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final EmbeddedPostgres server;

    private OwnPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    public static OwnPostgres start() throws IOException {
        return new OwnPostgres(EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(LONGEST_START)
                .start());
    }

    public String uri() {
        return "postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
