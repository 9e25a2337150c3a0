package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The shortest pattern that is correct on one key: {@code INSERT … ON CONFLICT DO NOTHING}, later {@code UPDATE}, each in a
 * transaction of its own. It has no lease, no fence and no audit: after a crash in the middle the key is stuck.
 */
final class ConflictTable implements HandWritten {

    private final HandStatements statements;
    private final HikariDataSource pool;

    ConflictTable(HandSql sql, HikariDataSource pool) {
        this.statements = new HandStatements(sql);
        this.pool = pool;
    }

    @Override
    public boolean claim(String key) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return statements.insert(connection, statements.sql().insertOnce(), key);
        }
    }

    @Override
    public void complete(String key, byte[] response) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            statements.update(connection, key, response);
        }
    }

    @Override
    public Optional<Response> replay(String key) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return statements.read(connection, statements.sql().read(), key).map(HandStatements.Row::response);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
