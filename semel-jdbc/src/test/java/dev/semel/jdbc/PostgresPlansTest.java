package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PostgreSQL: plans on a table of 50,000 records, with the planner's settings as a foreign pool has them")
class PostgresPlansTest {

    private static HikariDataSource pool;

    @BeforeAll
    static void fill() throws SQLException {
        pool = ((StoreUri.Postgresql) StoreUri.parse(PostgresServer.newDatabase())).dataSource();
        new PostgresStore(pool).close();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO semel_record
                    SELECT 'acme', 'key-' || n, 'create-payment', 'v1:abc',
                           CASE WHEN n % 2 = 0 THEN 'completed' ELSE 'expired' END, n, 1, false, 'holder', NULL,
                           now() + (n - 1000) * interval '1 minute', now(), now(),
                           CASE WHEN n % 2 = 0 THEN '\\x00'::bytea END, NULL, NULL, NULL
                    FROM generate_series(1, 50000) AS n
                    """);
            statement.execute("ANALYZE semel_record");
        }
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    @Test
    void deleting_reads_the_two_indexes_of_what_is_due() throws SQLException {
        assertThat(plan("prune-delete.sql", 100))
                .contains("Index Scan using semel_record_due", "Index Scan using semel_record_marked", "Tid Scan")
                .doesNotContain("Seq Scan");
    }

    @Test
    void marking_reads_the_index_of_what_is_due_and_not_yet_marked() throws SQLException {
        assertThat(plan("prune-mark.sql", 100))
                .contains("Index Scan using semel_record_due", "Tid Scan")
                .doesNotContain("Seq Scan");
    }

    @Test
    void the_other_verbs_read_the_primary_key() throws SQLException {
        assertThat(plan("claim.sql", "acme", "key-1", "create-payment", "v1:abc", 1L, false, "holder", "reason"))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("Seq Scan");
        assertThat(plan("settle.sql", "acme", "key-1", 1L, "completed", new byte[0], null, 1L, "source", "detail"))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("Seq Scan");
        assertThat(plan("reconcile.sql", "acme", "key-1", 1L, "completed", new byte[0], null, 1L, "source", "detail"))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("Seq Scan");
        assertThat(plan("renew.sql", "acme", "key-1", 1L, 1L))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("Seq Scan");
        assertThat(plan("find.sql", "acme", "key-1"))
                .contains("Index Scan using semel_record_pkey")
                .doesNotContain("Seq Scan");
    }

    @Test
    void the_stores_own_pool_keeps_to_the_primary_key_also_while_the_table_is_tiny() throws SQLException {
        StoreUri.Postgresql uri = (StoreUri.Postgresql) StoreUri.parse(PostgresServer.newDatabase());
        PostgresStore.open(uri).close();
        try (HikariDataSource own = PostgresPool.forStore(uri);
                Connection connection = own.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ANALYZE semel_record");
            assertThat(plan(connection, "find.sql", "acme", "key-1")).contains("Index Scan using semel_record_pkey");
        }
    }

    private static String plan(String file, Object... arguments) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return plan(connection, file, arguments);
        }
    }

    private static String plan(Connection connection, String file, Object... arguments) throws SQLException {
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
