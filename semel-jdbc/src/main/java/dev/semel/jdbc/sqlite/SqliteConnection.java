package dev.semel.jdbc.sqlite;

import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One connection to a SQLite file with its prepared statements; used by one thread at a time. */
final class SqliteConnection implements AutoCloseable {

    /** What time it is by the store's clock. */
    static final String CLOCK = Sql.file("sqlite/clock.sql");

    private final Connection connection;
    private final boolean borrowed;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private SqliteConnection(Connection connection, boolean borrowed) {
        this.connection = connection;
        this.borrowed = borrowed;
    }

    /** Opens a connection that waits this long for others. */
    static SqliteConnection open(DataSource dataSource, Duration busyTimeout) throws SQLException {
        SqliteConnection opened = new SqliteConnection(dataSource.getConnection(), false);
        try {
            opened.busyTimeout(busyTimeout);
            return opened;
        } catch (SQLException e) {
            opened.close();
            throw e;
        }
    }

    /** Uses a connection of the application's; closing this closes the statements that were prepared here, not the connection. */
    static SqliteConnection borrow(Connection connection) {
        return new SqliteConnection(connection, true);
    }

    /** Lets this connection wait so long for others. */
    void busyTimeout(Duration duration) throws SQLException {
        execute("PRAGMA busy_timeout = " + Math.min(duration.toMillis(), Integer.MAX_VALUE));
    }

    /** How long this connection waits for others. */
    Duration busyTimeout() throws SQLException {
        String millis = text("PRAGMA busy_timeout");
        return millis == null ? Duration.ZERO : Duration.ofMillis(Long.parseLong(millis));
    }

    /** The path of the file as SQLite sees it; empty when there is none. SQLite answers without reading the file. */
    String file() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA database_list")) {
            while (rows.next()) {
                if ("main".equals(rows.getString("name"))) {
                    String path = rows.getString("file");
                    return path == null ? "" : path;
                }
            }
            return "";
        }
    }

    /** A statement that is prepared once; its result sets must be closed, they hold a view of the file. */
    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** Runs statements that return nothing of interest. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** What time it is by the store's clock. */
    Instant clock() throws SQLException {
        try (ResultSet row = prepare(CLOCK).executeQuery()) {
            row.next();
            return Micros.instant(row.getLong("at"));
        }
    }

    /** The first column of the first row as text; null when there is no row. */
    @Nullable
    String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    @Override
    public void close() throws SQLException {
        if (!borrowed) {
            connection.close();
            return;
        }
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
    }
}
