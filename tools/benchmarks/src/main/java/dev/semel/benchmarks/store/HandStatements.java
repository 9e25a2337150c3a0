package dev.semel.benchmarks.store;

import dev.semel.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of hand-written tables on a connection. */
record HandStatements(HandSql sql) {

    /** A row that was found; the response is null while the work goes on. */
    record Row(String state, @Nullable Response response) {}

    Optional<Row> read(Connection connection, String statement, String key) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(statement)) {
            select.setString(1, Payload.SCOPE);
            select.setString(2, key);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                if (!Payload.FINGERPRINT.value().equals(row.getString(2))) {
                    throw new IllegalStateException("the key " + key + " was used for something else");
                }
                byte[] response = row.getBytes(3);
                return Optional.of(new Row(row.getString(1), response == null ? null : Response.of(response)));
            }
        }
    }

    boolean insert(Connection connection, String statement, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(statement)) {
            insert.setString(1, Payload.SCOPE);
            insert.setString(2, key);
            insert.setString(3, Payload.FINGERPRINT.value());
            return insert.executeUpdate() == 1;
        }
    }

    void update(Connection connection, String key, byte[] response) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql.update())) {
            update.setBytes(1, response);
            update.setString(2, Payload.SCOPE);
            update.setString(3, key);
            if (update.executeUpdate() != 1) {
                throw new IllegalStateException("the key " + key + " has vanished");
            }
        }
    }
}
