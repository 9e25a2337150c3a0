package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The table of tombstones on one connection, many rows to a statement. */
final class MysqlTombstones {

    private static final MultiRow FIND = MultiRow.file("mysql/tombstone-find.sql");
    private static final MultiRow WRITE = MultiRow.file("mysql/tombstone-write.sql");
    private static final String PRUNE = Sql.file("mysql/tombstone-prune.sql");

    private final Connection connection;
    private final TombstoneTable table;

    MysqlTombstones(Connection connection, TombstoneTable table) {
        this.connection = connection;
        this.table = table;
    }

    TombstoneTable table() {
        return table;
    }

    Set<Identity> of(List<Identity> identities) throws SQLException {
        Map<ByteBuffer, Identity> byDigest = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(FIND.of(identities.size()))) {
            Arguments arguments = new Arguments(statement);
            for (Identity identity : identities) {
                byDigest.put(ByteBuffer.wrap(identity.digest()), identity);
                arguments.bytes(identity.digest());
            }
            Set<Identity> found = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(byDigest.get(ByteBuffer.wrap(rows.getBytes("digest"))));
                }
            }
            return found;
        }
    }

    /** Those of records that a person has not let expire, where tombstones are kept; and the time at which all were deleted. */
    void add(List<MysqlTables.Expired> expired) throws SQLException {
        List<MysqlTables.Expired> kept = expired.stream()
                .filter(each -> table.keepsTombstones() && !each.forgotten())
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(WRITE.of(kept.size() + 1))) {
            Arguments arguments = new Arguments(statement);
            arguments
                    .bytes(TombstoneTable.mark())
                    .utf8("")
                    .utf8("")
                    .micros(expired.get(0).at());
            for (MysqlTables.Expired each : kept) {
                arguments
                        .bytes(each.identity().digest())
                        .utf8(each.operation())
                        .utf8(each.state().label())
                        .micros(each.at());
            }
            statement.executeUpdate();
        }
    }

    int prune(int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PRUNE)) {
            new Arguments(statement).duration(table.keep()).limit(limit);
            return statement.executeUpdate();
        }
    }
}
