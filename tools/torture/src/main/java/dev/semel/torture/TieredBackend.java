package dev.semel.torture;

import dev.semel.torture.net.AnyStore;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** A PostgreSQL server as the primary store, and a Redis in front of it; the run started both. */
final class TieredBackend implements Backend {

    private final PostgresBackend primary;
    private final Front front;

    private TieredBackend(PostgresBackend primary, Front front) {
        this.primary = primary;
        this.front = front;
    }

    /** Starts both. */
    static TieredBackend start(Path data, int apps) throws IOException {
        Front front = new Front();
        try {
            return new TieredBackend(PostgresBackend.start(data, apps), front);
        } catch (IOException | RuntimeException e) {
            front.close();
            throw e;
        }
    }

    @Override
    public Setup.Server kind() {
        return Setup.Server.OWN_TIERED;
    }

    @Override
    public String uriFor(int app) {
        return AnyStore.tiered(primary.uriFor(app), front.uri());
    }

    /** The primary store's: the Redis in front of it is not read at the end. */
    @Override
    public String directUri() {
        return primary.directUri();
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return primary.proxy(app);
    }

    @Override
    public Optional<Front> front() {
        return Optional.of(front);
    }

    @Override
    public void pause() {
        primary.pause();
    }

    @Override
    public void goOn() {
        front.goOn();
        primary.goOn();
    }

    @Override
    public void kill() {
        primary.kill();
    }

    @Override
    public void restart() {
        primary.restart();
    }

    @Override
    public Optional<Sharing> sharing() throws SQLException {
        return primary.sharing();
    }

    @Override
    public void close() throws IOException {
        front.close();
        primary.close();
    }
}
