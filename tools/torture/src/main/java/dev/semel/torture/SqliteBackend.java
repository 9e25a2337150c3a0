package dev.semel.torture;

import dev.semel.torture.net.TcpProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A SQLite file. There is no server to break; the holder of the write lock makes all others wait. */
final class SqliteBackend implements Backend {

    /** Far more than a write takes even on a busy machine, and less than the longest lock. */
    private static final String OPTIONS = "?busyTimeoutMillis=2000";

    private final Path file;
    private @Nullable Connection holder;

    SqliteBackend(Path file) {
        this.file = file;
    }

    @Override
    public Setup.Server kind() {
        return Setup.Server.SQLITE;
    }

    @Override
    public String uriFor(int app) {
        return directUri();
    }

    @Override
    public String directUri() {
        return "sqlite:" + file + OPTIONS;
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return Optional.empty();
    }

    @Override
    public void pause() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        holder = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 5000");
            statement.execute("BEGIN EXCLUSIVE");
        }
    }

    @Override
    public void goOn() throws SQLException {
        if (holder != null) {
            holder.close();
            holder = null;
        }
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("SQLite has no server");
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("SQLite has no server");
    }

    /** A transaction has one time for all that it writes. */
    @Override
    public Optional<Sharing> sharing() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            return Optional.of(Sharing.in(
                    connection,
                    "SELECT COUNT(*) AS writes FROM semel_audit WHERE change IN ('granted', 'settled') GROUP BY at"));
        }
    }

    @Override
    public void close() throws SQLException {
        goOn();
    }
}
