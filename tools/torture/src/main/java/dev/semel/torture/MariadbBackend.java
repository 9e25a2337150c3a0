package dev.semel.torture;

import dev.semel.testsupport.servers.MariadbServer;
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

/** A MariaDB server that the run started, or a MariaDB or MySQL that it was given, with a proxy in front of each application. */
final class MariadbBackend implements Backend {

    /**
     * A connection that hangs is given up soon, as the leases are short; few connections, as there are few clients.
     */
    private static final String OPTIONS = "poolSize=6&socketTimeout=2000&connectTimeout=2000";

    private final Upstream upstream;
    private final @Nullable MariadbServer server;

    private MariadbBackend(@Nullable MariadbServer server, URI uri, int apps) throws IOException {
        this.server = server;
        this.upstream = new Upstream(uri, OPTIONS, Protocol.MYSQL, apps);
    }

    /** Starts a server that keeps what it confirms. */
    static MariadbBackend start(Path directory, int apps) throws IOException {
        MariadbServer server = MariadbServer.start(directory);
        return new MariadbBackend(server, URI.create(server.newDatabase()), apps);
    }

    /** Uses a server that runs. */
    static MariadbBackend at(URI uri, int apps) throws IOException {
        return new MariadbBackend(null, uri, apps);
    }

    @Override
    public Setup.Server kind() {
        return server == null ? Setup.Server.FOREIGN_MYSQL : Setup.Server.OWN_MARIADB;
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

    private MariadbServer own() {
        if (server == null) {
            throw new UnsupportedOperationException("the run did not start this server, and does not break it");
        }
        return server;
    }

    /** A transaction has one time for all that it writes. */
    @Override
    public Optional<Sharing> sharing() throws SQLException {
        try (Connection connection = Databases.connect(directUri())) {
            return Optional.of(Sharing.in(
                    connection,
                    "SELECT COUNT(*) AS writes FROM semel_audit WHERE `change` IN ('granted', 'settled') GROUP BY at"));
        }
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        if (server != null) {
            server.close();
        }
    }
}
