package dev.semel.examples.payments;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/** A PostgreSQL server of this test that keeps what it confirms, and can be stopped and started again. */
final class Postgres implements AutoCloseable {

    private final Path directory;
    private EmbeddedPostgres server;
    private final int port;

    private Postgres(Path directory) throws IOException {
        this.directory = directory;
        this.server = start(0);
        this.port = server.getPort();
    }

    static Postgres start(Path directory) throws IOException {
        return new Postgres(directory);
    }

    private EmbeddedPostgres start(int onPort) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on");
        return (onPort == 0 ? builder : builder.setPort(onPort)).start();
    }

    String uri() {
        return "postgresql://postgres:postgres@127.0.0.1:" + port + "/postgres";
    }

    void stop() throws IOException {
        server.close();
    }

    /** On the same data and port as before. */
    void startAgain() throws IOException {
        server = start(port);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
