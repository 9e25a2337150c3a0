package dev.semel.torture;

import dev.semel.torture.net.Databases;
import dev.semel.torture.net.Protocol;
import dev.semel.torture.net.TcpProxy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server, of this run's own or somebody else's, with a proxy in front of each application. */
final class PostgresBackend implements Backend {

    /**
     * A connection that hangs is given up soon, as the leases are short; few connections, as there are few clients.
     */
    private static final String OPTIONS = "poolSize=6&socketTimeout=2&connectTimeout=2";

    /** Holds the number of the server's first process while it runs. */
    private static final String PID_FILE = "postmaster.pid";

    private final @Nullable Path data;
    private final Upstream upstream;
    private @Nullable EmbeddedPostgres server;

    private PostgresBackend(@Nullable Path data, @Nullable EmbeddedPostgres server, URI uri, int apps)
            throws IOException {
        this.data = data;
        this.server = server;
        this.upstream = new Upstream(uri, OPTIONS, Protocol.POSTGRESQL, apps);
    }

    /** Starts a server that keeps what it confirms. */
    static PostgresBackend start(Path data, int apps) throws IOException {
        EmbeddedPostgres server = builder(data).start();
        URI uri = URI.create("postgresql://postgres@localhost:" + server.getPort() + "/postgres");
        return new PostgresBackend(data, server, uri, apps);
    }

    /** Uses a server that runs. */
    static PostgresBackend at(URI uri, int apps) throws IOException {
        return new PostgresBackend(null, null, uri, apps);
    }

    private static EmbeddedPostgres.Builder builder(Path data) {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "100")
                .setPGStartupWait(Duration.ofSeconds(60));
    }

    @Override
    public Setup.Server kind() {
        return data == null ? Setup.Server.FOREIGN_POSTGRESQL : Setup.Server.OWN_POSTGRESQL;
    }

    @Override
    public String uriFor(int app) {
        return upstream.uriFor(app);
    }

    @Override
    public String directUri() {
        return upstream.directUri();
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return Optional.of(upstream.proxy(app));
    }

    /** A row knows the transaction that wrote it last; those that others have written since are not counted. */
    @Override
    public Optional<Sharing> sharing() throws SQLException {
        try (Connection connection = Databases.connect(directUri())) {
            return Optional.of(Sharing.in(
                    connection,
                    "SELECT COUNT(*) AS writes FROM semel_record"
                            + " WHERE state = 'completed' AND evidence_source IS NULL GROUP BY xmin::text"));
        }
    }

    @Override
    public void pause() throws IOException {
        // The postmaster first, so that nobody is added.
        ProcessHandle postmaster = postmaster();
        Signals.send("STOP", postmaster.pid());
        postmaster.descendants().forEach(child -> Signals.send("STOP", child.pid()));
    }

    @Override
    public void goOn() throws IOException {
        if (data == null || !Files.exists(data.resolve(PID_FILE))) {
            return;
        }
        ProcessHandle postmaster = postmaster();
        postmaster.descendants().forEach(child -> Signals.send("CONT", child.pid()));
        Signals.send("CONT", postmaster.pid());
    }

    @Override
    public void kill() throws IOException {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> children = postmaster.descendants().toList();
        Stream.concat(Stream.of(postmaster), children.stream()).forEach(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
        if (server != null) {
            server.close();
        }
    }

    @Override
    public void restart() throws IOException {
        server = builder(dataDirectory()).setPort(upstream.port()).start();
    }

    private Path dataDirectory() {
        if (data == null) {
            throw new UnsupportedOperationException("this server is not ours to break");
        }
        return data;
    }

    private ProcessHandle postmaster() throws IOException {
        Path file = dataDirectory().resolve(PID_FILE);
        return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).strip()))
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        if (server != null) {
            server.close();
        }
    }
}
