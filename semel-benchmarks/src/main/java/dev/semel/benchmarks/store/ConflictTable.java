package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

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
    public byte @Nullable [] replay(String key) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            HandStatements.Row row =
                    statements.read(connection, statements.sql().read(), key);
            return row == null ? null : row.response();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
