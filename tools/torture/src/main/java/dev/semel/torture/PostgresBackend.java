package dev.semel.torture;

import dev.semel.testsupport.servers.PostgresServer;
import dev.semel.torture.net.Databases;
import dev.semel.torture.net.Protocol;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server that the run started or was given, with a proxy in front of each application. */
final class PostgresBackend implements Backend {

    /**
     * A connection that hangs is given up soon, as the leases are short; few connections, as there are few clients.
     */
    private static final String OPTIONS = "poolSize=6&socketTimeout=2&connectTimeout=2";

    private final Upstream upstream;
    private final @Nullable PostgresServer server;

    private PostgresBackend(@Nullable PostgresServer server, URI uri, int apps) throws IOException {
        this.server = server;
        this.upstream = new Upstream(uri, OPTIONS, Protocol.POSTGRESQL, apps);
    }

    /** Starts a server that keeps what it confirms. */
    static PostgresBackend start(Path data, int apps) throws IOException {
        PostgresServer server = PostgresServer.builder().dataDirectory(data).start();
        return new PostgresBackend(server, URI.create(server.uri()), apps);
    }

    /** Uses a server that runs. */
    static PostgresBackend at(URI uri, int apps) throws IOException {
        return new PostgresBackend(null, uri, apps);
    }

    @Override
    public Setup.Server kind() {
        return server == null ? Setup.Server.FOREIGN_POSTGRESQL : Setup.Server.OWN_POSTGRESQL;
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

    /** A row holds the transaction that wrote it last; rows that were written again since are not counted. */
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
    public void pause() {
        own().pause();
    }

    @Override
    public void goOn() {
        if (server != null) {
            server.resume();
        }
    }

    @Override
    public void kill() {
        own().kill();
    }

    @Override
    public void restart() {
        own().restart();
    }

    private PostgresServer own() {
        if (server == null) {
            throw new UnsupportedOperationException("the run did not start this server, and does not break it");
        }
        return server;
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        if (server != null) {
            server.close();
        }
    }
}
