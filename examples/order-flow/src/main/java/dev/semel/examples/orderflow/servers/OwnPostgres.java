package dev.semel.examples.orderflow.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;

/** A durable PostgreSQL server that ends with this process. */
public final class OwnPostgres implements AutoCloseable {

    /** Enough for a busy machine. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final EmbeddedPostgres server;

    private OwnPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    public static OwnPostgres start() throws IOException {
        return new OwnPostgres(EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(START_TIMEOUT)
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
