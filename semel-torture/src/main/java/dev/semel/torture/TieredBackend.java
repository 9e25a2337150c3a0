package dev.semel.torture;

import dev.semel.torture.net.AnyStore;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** A PostgreSQL server of this run's own that is the truth, and a Redis in front of it. */
final class TieredBackend implements Backend {

    private final PostgresBackend truth;
    private final Front front;

    private TieredBackend(PostgresBackend truth, Front front) {
        this.truth = truth;
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
        return AnyStore.tiered(truth.uriFor(app), front.uri());
    }

    /** The truth's: what stands in front of it is not asked at the end. */
    @Override
    public String directUri() {
        return truth.directUri();
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return truth.proxy(app);
    }

    @Override
    public Optional<Front> front() {
        return Optional.of(front);
    }

    @Override
    public void pause() throws IOException {
        truth.pause();
    }

    @Override
    public void goOn() throws IOException {
        front.goOn();
        truth.goOn();
    }

    @Override
    public void kill() throws IOException {
        truth.kill();
    }

    @Override
    public void restart() throws IOException {
        truth.restart();
    }

    @Override
    public Optional<Sharing> sharing() throws SQLException {
        return truth.sharing();
    }

    @Override
    public void close() throws IOException {
        front.close();
        truth.close();
    }
}
