package dev.semel.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.testing.Uris;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
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

    private static final int BATCH = 500;

    private static final String SCOPES = texts("acme");

    private static final String KEYS = texts("key-1");
    private static final String FENCES = "array_fill(1::bigint, ARRAY[SIZE])";
    private static final String FLAGS = "array_fill(false, ARRAY[SIZE])";

    private static final List<String> BATCHED =
            List.of("claim.sql", "claim-again.sql", "settle.sql", "renew.sql", "find.sql");

    private static StoreUri.Postgresql large;
    private static HikariDataSource foreign;

    private static final String OF_ONE = " of one";

    @BeforeAll
    static void fill() throws SQLException {
        large = newDatabase();
        foreign = large.dataSource();
        try (Connection connection = foreign.getConnection()) {
            fill(connection, LARGE);
        }
    }

    private static StoreUri.Postgresql newDatabase() throws SQLException {
        StoreUri.Postgresql uri = Uris.postgresql(PostgresServer.shared().newDatabase());
        Stores.open(uri).close();
        return uri;
    }

    /** Records of every state, some past their time and most not, of two operations. */
    private static void fill(Connection connection, int records) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO semel_record (
                        scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder, locked_until,
                        expires_at, created_at, updated_at, claimed_at, response, unknown_since, next_try_at, audit)
                    SELECT 'acme', 'key-' || n, CASE WHEN n %% 3 = 0 THEN 'create-payment' ELSE 'refund' END, 'v1:abc', state,
                           n, 1, n %% 2 = 0, 'holder', CASE state WHEN 'in_progress' THEN time END,
                           CASE WHEN state NOT IN ('in_progress', 'unknown') THEN time END, now(), now(), now(),
                           CASE state WHEN 'completed' THEN '\\x00'::bytea END,
                           CASE state WHEN 'unknown' THEN now() END, CASE state WHEN 'unknown' THEN time END,
                           ARRAY[ROW(now(), 'granted', n, NULL, 'in_progress', 'holder', NULL)::semel_entry]
                    FROM generate_series(1, %d) AS n,
                         LATERAL (SELECT (ARRAY['completed', 'failed_retryable', 'expired', 'in_progress', 'unknown'])[1 + n %% 5]
                                         AS state, now() + (n - 1000) * interval '1 minute' AS time) AS chosen;
                    ANALYZE semel_record;
                    """.formatted(records));
        }
    }

    @AfterAll
    static void close() {
        foreign.close();
    }

    private static final String DIGEST = "00000000-0000-0000-0000-000000000001";

    /** Every statement of a verb, with arguments that fit. */
    private static Map<String, List<String>> statements() {
        Map<String, List<String>> statements = new LinkedHashMap<>();
        statements.put(
                "claim.sql", List.of(SCOPES, KEYS, texts("pay"), texts("v1:abc"), FENCES, FLAGS, texts("holder")));
        statements.put(
                "claim-again.sql",
                List.of(
                        SCOPES,
                        KEYS,
                        texts("pay"),
                        texts("v1:abc"),
                        FENCES,
                        FLAGS,
                        texts("holder"),
                        FENCES,
                        FENCES,
                        FLAGS));
        statements.put(
                "claim-timed.sql",
                List.of(SCOPES, KEYS, texts("pay"), texts("v1:abc"), FENCES, FLAGS, texts("holder"), FENCES, FENCES));
        statements.put(
                "claim-timed.sql" + OF_ONE,
                List.of("'acme'", "'key-1'", "'pay'", "'v1:abc'", "1", "true", "'holder'", "1", "1"));
        statements.put("unclaim.sql", List.of(SCOPES, KEYS, texts("holder"), texts(DIGEST)));
        statements.put("unclaim.sql" + OF_ONE, List.of("'acme'", "'key-1'", "'holder'", "'" + DIGEST + "'"));
        statements.put(
                "settle.sql",
                List.of(
                        "'source'::text",
                        "'detail'::text",
                        SCOPES,
                        KEYS,
                        FENCES,
                        texts("completed"),
                        "array_fill(''::bytea, ARRAY[SIZE])",
                        texts("reason"),
                        FENCES));
        statements.put("claim-one.sql", List.of("'acme'", "'key-1'", "'pay'", "'v1:abc'", "1", "true", "'holder'"));
        statements.put(
                "settle.sql" + OF_ONE,
                List.of("'source'", "'detail'", "'acme'", "'key-1'", "1", "'completed'", "''", "'reason'", "1"));
        statements.put("find.sql" + OF_ONE, List.of("'acme'", "'key-1'"));
        statements.put("renew.sql", List.of(SCOPES, KEYS, FENCES, FENCES));
        statements.put("find.sql", List.of(SCOPES, KEYS));
        statements.put(
                "reconcile.sql",
                List.of("'acme'", "'key-1'", "1", "'completed'", "''", "NULL", "1", "'source'", "'detail'"));
        statements.put(
                "reschedule.sql", List.of("'acme'", "'key-1'", "1", "'rescheduled'", "1", "1", "'source'", "'detail'"));
        statements.put("step.sql", List.of("'acme'", "'key-1'", "1", "'charge'", "''"));
        statements.put("history.sql", List.of("'acme'", "'key-1'"));
        statements.put("list-unknown.sql", List.of("NULL", "NULL", "'acme'", "'key-1'", "100"));
        statements.put("search-newest.sql", List.of("'completed'", "4000000000000000", "7", "0", "51"));
        statements.put("search-oldest.sql", List.of("'unknown'", "0", "7", "4000000000000000", "51"));
        statements.put("search-running.sql", List.of("0", "4000000000000000", "51"));
        statements.put("search-keys.sql", List.of("'key-1'", "'key-2'", "NULL", "NULL", "51"));
        statements.put("annotate.sql", List.of("'acme'", "'key-1'", "1", "'viewed'", "'source'", "'detail'"));
        statements.put("forget.sql", List.of("'acme'", "'key-1'", "1", "'source'", "'detail'"));
        statements.put("sweep.sql", List.of("100", "'reason'"));
        statements.put("due.sql", List.of("'create-payment'", "100", "1"));
        statements.put("prune-delete.sql", List.of("100"));
        statements.put("prune-bury.sql", List.of("100", "true"));
        statements.put("tombstone-prune.sql", List.of("1000000", "100"));
        statements.put("prune-mark.sql", List.of("100"));
        return statements;
    }

    private static String texts(String value) {
        return "array_fill('" + value + "'::text, ARRAY[SIZE])";
    }

    static Stream<String> filesOfTransactions() {
        return Stream.of(
                "claim-timed.sql" + OF_ONE,
                "unclaim.sql" + OF_ONE,
                "claim-one.sql",
                "claim-again.sql",
                "settle.sql" + OF_ONE,
                "find.sql" + OF_ONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claim.sql",
                "claim-timed.sql",
                "claim-timed.sql" + OF_ONE,
                "settle.sql",
                "settle.sql" + OF_ONE,
                "reconcile.sql",
                "reschedule.sql",
                "annotate.sql",
                "forget.sql",
                "renew.sql",
                "step.sql",
                "find.sql",
                "find.sql" + OF_ONE
            })
    void verbs_on_one_record_read_the_primary_key(String file) throws SQLException {
        assertThat(plan(foreign, file))
                .contains("using semel_record_pkey")
                .doesNotContain("semel_record_unknown", "semel_record_next_try", "semel_record_lease_end");
    }

    @Test
    void deleting_reads_the_two_indexes_of_what_is_due() throws SQLException {
        assertThat(plan(foreign, "prune-delete.sql"))
                .contains("Index Scan using semel_record_due", "Index Scan using semel_record_marked", "Tid Scan");
    }

    @Test
    void tombstones_are_found_and_pruned_through_their_indexes() throws SQLException {
        assertThat(plan(foreign, "unclaim.sql"))
                .contains("using semel_tombstone_pkey")
                .doesNotContain("Seq Scan");
        assertThat(plan(foreign, "tombstone-prune.sql"))
                .contains("using semel_tombstone_age")
                .doesNotContain("Seq Scan");
        assertThat(plan(foreign, "prune-bury.sql"))
                .contains("Index Scan using semel_record_due", "Index Scan using semel_record_marked", "Tid Scan");
    }

    @Test
    void marking_reads_the_index_of_what_is_due_and_not_yet_marked() throws SQLException {
        assertThat(plan(foreign, "prune-mark.sql")).contains("Index Scan using semel_record_due", "Tid Scan");
    }

    @Test
    void sweeping_reads_the_index_of_leases_that_no_sweep_has_found() throws SQLException {
        assertThat(plan(foreign, "sweep.sql")).contains("Index Scan using semel_record_lease_end", "Tid Scan");
    }

    @Test
    void what_is_due_is_read_from_the_index_of_an_operations_next_tries() throws SQLException {
        assertThat(plan(foreign, "due.sql")).contains("Index Scan using semel_record_next_try", "Tid Scan");
    }

    @Test
    void a_page_of_unknown_records_is_read_in_the_order_of_its_index() throws SQLException {
        assertThat(plan(foreign, "list-unknown.sql"))
                .contains("Index Scan using semel_record_unknown")
                .doesNotContain("Sort");
    }

    @ParameterizedTest
    @ValueSource(strings = {"search-newest.sql", "search-oldest.sql"})
    void a_page_of_a_search_is_read_in_the_order_of_its_index(String file) throws SQLException {
        assertThat(plan(foreign, file)).contains("using semel_record_search").doesNotContain("Sort", "Seq Scan");
    }

    @Test
    void what_is_being_executed_is_read_from_the_index_of_leases() throws SQLException {
        assertThat(plan(foreign, "search-running.sql"))
                .contains("Index Scan using semel_record_lease_end")
                .doesNotContain("Sort", "Seq Scan");
    }

    @Test
    void a_search_by_key_reads_the_primary_key() throws SQLException {
        assertThat(plan(foreign, "search-keys.sql"))
                .contains("using semel_record_pkey")
                .doesNotContain("Sort", "Seq Scan");
    }

    @Test
    void a_history_is_read_from_its_record() throws SQLException {
        assertThat(plan(foreign, "history.sql")).contains("Index Scan using semel_record_pkey");
    }

    @ParameterizedTest
    @MethodSource("filesOfTransactions")
    void no_statement_of_a_foreign_transaction_scans_a_table_that_is_new(String file) throws SQLException {
        try (HikariDataSource pool = newDatabase().dataSource();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(PostgresTransaction.KEEP_PLANS);
            assertThat(planOf(connection, file, 1)).doesNotContain("Seq Scan on semel_record");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, LARGE})
    void a_plan_that_is_made_now_suits_a_table_of_any_size_and_a_batch_of_any_size(int records) throws SQLException {
        StoreUri.Postgresql uri = records == LARGE ? large : newDatabase();
        try (HikariDataSource pool = uri.dataSource()) {
            if (records < LARGE) {
                try (Connection connection = pool.getConnection()) {
                    fill(connection, records);
                }
            }
            for (String file : statements().keySet()) {
                assertThat(plan(pool, file))
                        .as(file)
                        .doesNotContain("Seq Scan on semel_record", "Hash Join", "Merge Join", "Bitmap");
            }
            for (String file : BATCHED) {
                assertThat(plan(pool, file)).as(file).contains("Nested Loop", "using semel_record_pkey");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LARGE})
    @DisplayName(
            "a connection of the store's own plans its statements alike, and needs no settings before each of them")
    void a_connection_of_the_stores_own_plans_alike(int records) throws SQLException {
        StoreUri.Postgresql uri = records == LARGE ? large : newDatabase();
        try (HikariDataSource own = PostgresPool.open(uri.server());
                Connection connection = own.getConnection()) {
            connection.setAutoCommit(false);
            for (String file : statements().keySet()) {
                assertThat(planOf(connection, file, BATCH))
                        .as(file)
                        .doesNotContain("Seq Scan on semel_record", "Hash Join", "Merge Join", "Bitmap");
                connection.rollback();
            }
            assertThat(shown(connection, "lock_timeout")).isEqualTo("1s");
            assertThat(shown(connection, "plan_cache_mode")).isEqualTo("force_generic_plan");
        }
    }

    private static String shown(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    /** As the store itself executes it on a connection of the application's. */
    private static String plan(HikariDataSource pool, String file) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(PostgresPlanning.TRANSACTION);
            String plan = planOf(connection, file, BATCH);
            connection.rollback();
            return plan;
        }
    }

    /** The plan that a session keeps for all later executions. */
    private static String planOf(Connection connection, String file, int batch) throws SQLException {
        List<String> arguments = statements().get(file).stream()
                .map(argument -> argument.replace("SIZE", String.valueOf(batch)))
                .toList();
        String sql = file.endsWith(OF_ONE)
                ? Sql.ofOne(Sql.file("postgresql/" + file.replace(OF_ONE, "")))
                : Sql.file("postgresql/" + file);
        for (int number = 1; number <= arguments.size(); number++) {
            sql = sql.replaceFirst("\\?", "\\$" + number);
        }
        StringBuilder plan = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            statement.execute("PREPARE explained AS " + sql);
            try (ResultSet rows = statement.executeQuery(
                    "EXPLAIN (COSTS OFF) EXECUTE explained (" + String.join(", ", arguments) + ")")) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            statement.execute("DEALLOCATE explained");
        }
        return plan.toString();
    }
}
