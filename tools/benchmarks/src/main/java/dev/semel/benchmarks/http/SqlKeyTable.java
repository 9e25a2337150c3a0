package dev.semel.benchmarks.http;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A table of keys in a database: one statement for each call, committed by itself.
 *
 * <p>Old keys have to go some day, so there is an index to find them by.
 */
final class SqlKeyTable implements KeyTable {

    private static final String UPDATE =
            "UPDATE idempotency_key SET status = ?, content_type = ?, body = ? WHERE id = ?";
    private static final String FIND = "SELECT status, content_type, body FROM idempotency_key WHERE id = ?";

    private final HikariDataSource pool;
    private final String insert;

    SqlKeyTable(Database database, int poolSize) {
        Dialect dialect = database.dialect();
        String row = " INTO idempotency_key (id, created_at) VALUES (?, CURRENT_TIMESTAMP)";
        insert = dialect == Dialect.MYSQL ? "INSERT IGNORE" + row : "INSERT" + row + " ON CONFLICT DO NOTHING";
        pool = database.pool(poolSize);
        create(dialect);
    }

    private void create(Dialect dialect) {
        String bytes = dialect == Dialect.POSTGRESQL ? "bytea" : "blob";
        String table = "CREATE TABLE IF NOT EXISTS idempotency_key (id varchar(255) PRIMARY KEY, created_at timestamp"
                + " NOT NULL, status integer, content_type varchar(255), body " + bytes + ")";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(table);
            statement.execute("CREATE INDEX IF NOT EXISTS idempotency_key_age ON idempotency_key (created_at)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean insert(String key) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, key);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void update(String key, Saved response) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            statement.setInt(1, response.status());
            statement.setString(2, response.contentType());
            statement.setBytes(3, response.body());
            statement.setString(4, key);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Saved find(String key) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBytes(3) != null
                        ? new Saved(row.getInt(1), row.getString(2), row.getBytes(3))
                        : null;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
