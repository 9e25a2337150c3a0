package dev.semel.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.testing.Uris;
import dev.semel.testsupport.servers.MariadbServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("MariaDB: every statement finds its records through its index")
@Timeout(120)
class MysqlPlansTest {

    /** Records of every state, some past their time and most not, of two operations; two entries of audit for each. */
    private static final String RECORDS = """
            INSERT INTO semel_record (
                scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder, locked_until,
                expires_at, created_at, updated_at, claimed_at, response, unknown_since, next_try_at)
            SELECT 'acme', CONCAT('key-', n), IF(n %% 3 = 0, 'create-payment', 'refund'), 'v1:abc', state, n, 1, n %% 2,
                   'holder', IF(state = 'in_progress', at, NULL), IF(state IN ('in_progress', 'unknown'), NULL, at),
                   1, 1, 1, IF(state = 'completed', 'x', NULL), IF(state = 'unknown', 1, NULL),
                   IF(state = 'unknown', at, NULL)
            FROM (SELECT seq AS n, ELT(1 + seq %% 5, 'completed', 'failed_retryable', 'expired', 'in_progress', 'unknown')
                             AS state,
                         TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) + (CAST(seq AS SIGNED) - 1000) * 60000000
                             AS at
                  FROM seq_1_to_%d) AS chosen
            """;

    private static final String ENTRIES = "INSERT INTO semel_audit (scope, `key`, at, `change`, to_state, who)"
            + " SELECT scope, `key`, 1, 'granted', 'in_progress', 'holder' FROM semel_record, seq_1_to_2";

    /** A statement, and the index by which it must find its rows. */
    private record Expected(String sql, String index, Object... arguments) {}

    private static Map<String, Expected> statements() {
        Object[] three = {"acme", "key-1", "acme", "key-500", "other", "key-2"};
        Map<String, Expected> statements = new LinkedHashMap<>();
        for (String file : List.of("read", "look", "delete")) {
            statements.put(
                    file, new Expected(MultiRow.file("mysql/" + file + ".sql").of(3), "PRIMARY", three));
            Object[] many = new Object[2 * MysqlTables.ROWS];
            for (int i = 0; i < many.length; i += 2) {
                many[i] = "acme";
                many[i + 1] = "key-" + i;
            }
            statements.put(
                    file + " of many",
                    new Expected(MultiRow.file("mysql/" + file + ".sql").of(MysqlTables.ROWS), "PRIMARY", many));
        }
        statements.put(
                "mark",
                new Expected(
                        MultiRow.file("mysql/prune-mark.sql").of(2), "PRIMARY", 1L, "acme", "key-1", "acme", "key-2"));
        statements.put("forget", new Expected(MultiRow.file("mysql/forget.sql").of(3), "semel_audit_record", three));
        statements.put("history", new Expected(Sql.file("mysql/history.sql"), "semel_audit_record", "acme", "key-1"));
        statements.put(
                "unknown",
                new Expected(
                        Sql.file("mysql/list-unknown.sql"),
                        "semel_record_unknown",
                        "acme",
                        "acme",
                        "key-1",
                        null,
                        null,
                        null,
                        null,
                        100));
        statements.put(
                "search newest",
                new Expected(
                        Sql.file("mysql/search-newest.sql"), "semel_record_claimed", "completed", 9L, 9L, 9L, 0L, 100));
        statements.put(
                "search oldest",
                new Expected(
                        Sql.file("mysql/search-oldest.sql"), "semel_record_claimed", "unknown", 0L, 0L, 0L, 9L, 100));
        statements.put(
                "search keys",
                new Expected(Sql.file("mysql/search-keys.sql"), "PRIMARY", "acme", "key-1", "key-2", 100));
        statements.put("sweep", new Expected(Sql.file("mysql/sweep.sql"), "semel_record_queue", 100));
        statements.put("due", new Expected(Sql.file("mysql/due.sql"), "semel_record_queue", "create-payment", 100));
        statements.put("prune", new Expected(Sql.file("mysql/prune-find.sql"), "semel_record_queue", "retention", 100));
        return statements;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 20_000})
    void whatever_the_size_of_the_table(int records) throws SQLException {
        StoreUri.Mysql uri = Uris.mysql(MariadbServer.shared().newDatabase());
        Stores.open(uri).close();
        try (HikariDataSource pool = uri.dataSource();
                Connection connection = pool.getConnection()) {
            if (records > 0) {
                MariadbServer.execute(connection, RECORDS.formatted(records));
                MariadbServer.execute(connection, ENTRIES);
                MariadbServer.execute(connection, "ANALYZE TABLE semel_record, semel_audit");
            }
            for (Map.Entry<String, Expected> statement : statements().entrySet()) {
                assertThat(plan(connection, statement.getValue()))
                        .as(statement.getKey())
                        .isNotEmpty()
                        .allSatisfy(step -> assertThat(step)
                                .containsAnyOf("range ", "ref ")
                                .contains(statement.getValue().index())
                                .doesNotContain("filesort"));
            }
        }
    }

    /** For each table of the statement: how it is read, by which index, and what else is done. */
    private static List<String> plan(Connection connection, Expected statement) throws SQLException {
        try (PreparedStatement explain = connection.prepareStatement("EXPLAIN " + statement.sql())) {
            for (int i = 0; i < statement.arguments().length; i++) {
                Object argument = statement.arguments()[i];
                explain.setObject(
                        i + 1, argument instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : argument);
            }
            List<String> steps = new ArrayList<>();
            try (ResultSet rows = explain.executeQuery()) {
                while (rows.next()) {
                    steps.add(rows.getString("type") + " " + rows.getString("key") + " " + rows.getString("Extra"));
                }
            }
            return steps;
        }
    }
}
