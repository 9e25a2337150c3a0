package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Puts keys into the tables of others beforehand, past those who use them. */
record FilledTables(Database database, List<String> keys) {

    /** Sets the parameters of a statement for a key. */
    private interface Parameters {
        void set(PreparedStatement statement, String key) throws SQLException;
    }

    /** Completed keys in a hand-written table. */
    void fill(HandSql sql) throws SQLException {
        byte[] response = Payload.response();
        each(sql.insert(), (insert, key) -> {
            insert.setString(1, Payload.SCOPE);
            insert.setString(2, key);
            insert.setString(3, Payload.FINGERPRINT.value());
        });
        each(sql.update(), (update, key) -> {
            update.setBytes(1, response);
            update.setString(2, Payload.SCOPE);
            update.setString(3, key);
        });
    }

    /** Keys that Spring Integration has seen. */
    void fillSpring() throws SQLException {
        each(SpringMetadataStore.INSERT, (insert, key) -> {
            insert.setString(1, key);
            insert.setString(2, SpringMetadataStore.VALUE);
            insert.setString(3, Payload.SCOPE);
        });
    }

    private void each(String sql, Parameters parameters) throws SQLException {
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (String key : keys) {
                parameters.set(statement, key);
                statement.addBatch();
            }
            statement.executeBatch();
            connection.commit();
        }
    }
}
