package dev.semel.jdbc;

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

    private static final String CLOCK = Sql.file("sqlite/clock.sql");

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private SqliteConnection(Connection connection) {
        this.connection = connection;
    }

    /** Opens a connection that waits this long for others. */
    static SqliteConnection open(DataSource dataSource, Duration busyTimeout) throws SQLException {
        SqliteConnection opened = new SqliteConnection(dataSource.getConnection());
        try {
            opened.execute("PRAGMA busy_timeout = " + busyTimeout.toMillis());
            return opened;
        } catch (SQLException e) {
            opened.close();
            throw e;
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
        connection.close();
    }
}
