package dev.semel.torture;

import dev.semel.testsupport.servers.RedisServer;
import dev.semel.torture.net.Protocol;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Redis server that the run started or was given, with a proxy in front of each application. */
final class RedisBackend implements Backend {

    /** An answer that does not come is given up soon, as the leases are short. */
    static final String OPTIONS = "timeoutMillis=2000";

    /** For reading the records at the end of a run, when nothing is broken any more. */
    static final String DIRECT_OPTIONS = "timeoutMillis=30000";

    private final Upstream upstream;
    private final @Nullable RedisServer server;

    private RedisBackend(@Nullable RedisServer server, URI uri, int apps) throws IOException {
        this.server = server;
        this.upstream = new Upstream(uri, OPTIONS, Protocol.REDIS, apps);
    }

    /** Starts a server that keeps what it confirms. */
    static RedisBackend start(int apps) throws IOException {
        RedisServer server = RedisServer.start();
        return new RedisBackend(server, URI.create(server.uri()), apps);
    }

    /** Uses a server that runs. */
    static RedisBackend at(URI uri, int apps) throws IOException {
        return new RedisBackend(null, uri, apps);
    }

    @Override
    public Setup.Server kind() {
        return server == null ? Setup.Server.FOREIGN_REDIS : Setup.Server.OWN_REDIS;
    }

    @Override
    public String uriFor(int app) {
        return upstream.uriFor(app);
    }

    @Override
    public String directUri() {
        return server == null ? upstream.directUri() : server.uri() + "?" + DIRECT_OPTIONS;
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

    private RedisServer own() {
        if (server == null) {
            throw new UnsupportedOperationException("the run did not start this server, and does not break it");
        }
        return server;
    }

    /** Redis does not report which writes share a sync. */
    @Override
    public Optional<Sharing> sharing() {
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        if (server != null) {
            server.close();
        }
    }
}
