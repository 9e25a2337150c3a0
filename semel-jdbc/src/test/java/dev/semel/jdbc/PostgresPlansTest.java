package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL: every statement finds its records through an index")
class PostgresPlansTest {

    private static final int LARGE = 50_000;

    private static StoreUri.Postgresql large;
    private static HikariDataSource foreign;

    @BeforeAll
    static void fill() throws SQLException {
        large = newDatabase();
        foreign = large.dataSource();
        try (Connection connection = foreign.getConnection()) {
            fill(connection, LARGE);
        }
    }

    private static StoreUri.Postgresql newDatabase() throws SQLException {
        StoreUri.Postgresql uri = (StoreUri.Postgresql) StoreUri.parse(PostgresServer.newDatabase());
        PostgresStore.open(uri).close();
        return uri;
    }

    /** Records of every state, some past their time and most not, of two operations; two entries of audit for each. */
    private static void fill(Connection connection, int records) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO semel_record (
                        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder, locked_until,
                        expires_at, created_at, updated_at, claimed_at, response, unknown_since, next_try_at)
                    SELECT 'acme', 'key-' || n, CASE WHEN n %% 3 = 0 THEN 'create-payment' ELSE 'refund' END, 'v1:abc', state,
                           n, 1, n %% 2 = 0, 'holder', CASE state WHEN 'in_progress' THEN time END,
                           CASE WHEN state NOT IN ('in_progress', 'unknown') THEN time END, now(), now(), now(),
                           CASE state WHEN 'completed' THEN '\\x00'::bytea END,
                           CASE state WHEN 'unknown' THEN now() END, CASE state WHEN 'unknown' THEN time END
                    FROM generate_series(1, %d) AS n,
                         LATERAL (SELECT (ARRAY['completed', 'failed_retryable', 'expired', 'in_progress', 'unknown'])[1 + n %% 5]
                                         AS state, now() + (n - 1000) * interval '1 minute' AS time) AS chosen;
                    INSERT INTO semel_audit (scope, key, at, change, fence, to_state, who)
                    SELECT scope, key, now(), 'granted', fence, 'in_progress', 'holder'
                    FROM semel_record, generate_series(1, 2);
                    ANALYZE semel_record;
                    ANALYZE semel_audit;
                    """.formatted(records));
        }
    }

    @AfterAll
    static void close() {
        foreign.close();
    }

    /** Every statement of a verb, with arguments that fit. */
    private static Map<String, Object[]> statements() {
        Map<String, Object[]> statements = new LinkedHashMap<>();
        statements.put("claim.sql", with("acme", "key-1", "create-payment", "v1:abc", 1L, false, "holder", "reason"));
        statements.put("settle.sql", with("acme", "key-1", 1L, "completed", new byte[0], null, 1L, "source", "detail"));
        statements.put(
                "reconcile.sql", with("acme", "key-1", 1L, "completed", new byte[0], null, 1L, "source", "detail"));
        statements.put("pursue.sql", with("acme", "key-1", 1L, "rescheduled", 1, 1L, "source", "detail"));
        statements.put("renew.sql", with("acme", "key-1", 1L, 1L));
        statements.put("step.sql", with("acme", "key-1", 1L, "charge", new byte[0]));
        statements.put("find.sql", with("acme", "key-1"));
        statements.put("history.sql", with("acme", "key-1"));
        statements.put("unknown.sql", with(null, null, "acme", "key-1", 100));
        statements.put("sweep.sql", with(100, "reason"));
        statements.put("due.sql", with("create-payment", 100, 1L));
        statements.put("prune-delete.sql", with(100));
        statements.put("prune-mark.sql", with(100));
        return statements;
    }

    private static Object[] with(Object... arguments) {
        return arguments;
    }

    static Stream<String> files() {
        return statements().keySet().stream();
    }

    static Stream<String> filesOfTransactions() {
        return Stream.of("claim.sql", "settle.sql", "find.sql");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"claim.sql", "settle.sql", "reconcile.sql", "pursue.sql", "renew.sql", "step.sql", "find.sql"})
    void verbs_on_one_record_read_the_primary_key(String file) throws SQLException {
        assertThat(plan(foreign, file))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("semel_record_unknown", "semel_record_next_try", "semel_record_lease_end");
    }

    @Test
    void deleting_reads_the_two_indexes_of_what_is_due_and_the_key_of_the_audit() throws SQLException {
        assertThat(plan(foreign, "prune-delete.sql"))
                .contains("Index Scan using semel_record_due", "Index Scan using semel_record_marked", "Tid Scan")
                .contains("Index Scan using semel_audit_pkey");
    }

    @Test
    void marking_reads_the_index_of_what_is_due_and_not_yet_marked() throws SQLException {
        assertThat(plan(foreign, "prune-mark.sql")).contains("Index Scan using semel_record_due", "Tid Scan");
    }

    @Test
    void sweeping_reads_the_index_of_leases_that_nobody_has_noticed() throws SQLException {
        assertThat(plan(foreign, "sweep.sql")).contains("Index Scan using semel_record_lease_end", "Tid Scan");
    }

    @Test
    void what_is_due_is_read_from_the_index_of_an_operations_next_tries() throws SQLException {
        assertThat(plan(foreign, "due.sql")).contains("Index Scan using semel_record_next_try", "Tid Scan");
    }

    @Test
    void a_page_of_unknown_records_is_read_in_the_order_of_its_index() throws SQLException {
        assertThat(plan(foreign, "unknown.sql"))
                .contains("Index Scan using semel_record_unknown")
                .doesNotContain("Sort");
    }

    @Test
    void a_history_is_read_in_the_order_of_its_key() throws SQLException {
        assertThat(plan(foreign, "history.sql"))
                .contains("Index Scan using semel_audit_pkey")
                .doesNotContain("Sort");
    }

    @ParameterizedTest
    @MethodSource("files")
    void no_statement_scans_a_large_table_with_the_planners_settings_as_a_foreign_pool_has_them(String file)
            throws SQLException {
        assertThat(plan(foreign, file)).doesNotContain("Seq Scan");
    }

    @ParameterizedTest
    @MethodSource("filesOfTransactions")
    void no_statement_of_a_foreign_transaction_scans_a_table_that_is_new(String file) throws SQLException {
        try (HikariDataSource pool = newDatabase().dataSource()) {
            assertThat(plan(pool, file)).doesNotContain("Seq Scan");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, LARGE})
    void the_stores_own_pool_scans_no_table_whatever_its_size(int records) throws SQLException {
        StoreUri.Postgresql uri = records == LARGE ? large : newDatabase();
        try (HikariDataSource own = PostgresPool.forStore(uri);
                Connection connection = own.getConnection()) {
            if (records < LARGE) {
                fill(connection, records);
            }
            for (String file : statements().keySet()) {
                assertThat(plan(connection, file)).as(file).doesNotContain("Seq Scan");
            }
        }
    }

    private static String plan(HikariDataSource pool, String file) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return plan(connection, file);
        }
    }

    private static String plan(Connection connection, String file) throws SQLException {
        Object[] arguments = statements().get(file);
        try (PreparedStatement statement =
                connection.prepareStatement("EXPLAIN (COSTS OFF) " + Sql.file("postgresql/" + file))) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
