package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.store.Payload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;

/** How the tables of one kind of database are filled. */
interface TableFilling {

    /** A response as records keep it: one byte for the version of the format, one without flags, then the response. */
    String RESPONSE_HEX = "0100" + HexFormat.of().formatHex(Payload.response());

    /** Prepares empty tables. */
    static TableFilling begin(Dialect dialect, Connection connection) throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresFilling(PostgresIndexes.drop(connection));
            case MYSQL -> new MysqlFilling();
            case SQLITE -> new SqliteFilling();
        };
    }

    /** Records of these numbers, both included, with their audit, in the transaction of the connection. */
    void portion(Connection connection, int from, int to, long retentionSeconds) throws SQLException;

    /** After the last: indexes, statistics, and what a server that lives with these tables would have done by now. */
    void end(Connection connection, int count) throws SQLException;

    static void insert(Connection connection, String sql, List<?> arguments) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int index = 0; index < arguments.size(); index++) {
                insert.setObject(index + 1, arguments.get(index));
            }
            insert.executeUpdate();
        }
    }

    static void execute(Connection connection, String... commands) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : commands) {
                statement.execute(sql);
            }
        }
    }
}
