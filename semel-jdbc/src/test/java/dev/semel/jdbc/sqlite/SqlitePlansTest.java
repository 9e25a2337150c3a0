package dev.semel.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.internal.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("SQLite: every verb reads an index, with and without statistics")
class SqlitePlansTest {

    @TempDir
    static Path directory;

    private static final String FILL = """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                                      locked_until, expires_at, created_at, updated_at, claimed_at, response,
                                      unknown_since, next_try_at)
            SELECT 'acme', 'key-' || i, 'create-payment', 'v1:meant',
                   CASE i % 3 WHEN 0 THEN 'in_progress' WHEN 1 THEN 'completed' ELSE 'unknown' END, i, 1, 0, 'holder',
                   CASE i % 3 WHEN 0 THEN i END, CASE i % 3 WHEN 1 THEN i END, 0, 0, 0,
                   CASE i % 3 WHEN 1 THEN x'00' END, CASE i % 3 WHEN 2 THEN i END, CASE i % 3 WHEN 2 THEN i END
            FROM n
            """;

    private static final String FILL_AUDIT = """
            INSERT INTO semel_audit (scope, key, at, change, fence, to_state, who)
            SELECT scope, key, 0, 'granted', fence, 'in_progress', holder FROM semel_record
            """;

    @BeforeAll
    static void fill() throws SQLException {
        for (String name : new String[] {"empty.db", "analyzed.db"}) {
            SqliteStore.open(directory.resolve(name)).close();
        }
        try (Connection connection =
                        SqliteStore.dataSource(directory.resolve("analyzed.db")).getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(FILL);
            statement.executeUpdate(FILL_AUDIT);
            statement.executeUpdate("ANALYZE");
        }
    }

    private static String plan(String name, String verb) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection =
                        SqliteStore.dataSource(directory.resolve(name)).getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("EXPLAIN QUERY PLAN " + Sql.file("sqlite/" + verb));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                plan.append(rows.getString("detail")).append('\n');
            }
        }
        return plan.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "find.sql, (scope=? AND key=?)",
        "look.sql, (scope=? AND key=?)",
        "complete.sql, (scope=? AND key=?)",
        "complete-audit.sql, (scope=? AND key=?)",
        "history.sql, semel_audit_record (scope=? AND key=?)",
        "forget.sql, semel_audit_record (scope=? AND key=?)",
        "sweep.sql, semel_record_lease_end (locked_until<?)",
        "due.sql, semel_record_next_try (operation=? AND next_try_at>? AND next_try_at<?)",
        "'list-unknown.sql', '((scope,key)>(?,?))'",
        "search-newest.sql, 'semel_record_search (<expr>=? AND claimed_at>? AND (claimed_at,fence)<(?,?)'",
        "search-oldest.sql, 'semel_record_search (<expr>=? AND (claimed_at,fence)>(?,?)'",
        "search-keys.sql, (scope=? AND key>? AND key<?)",
        "prune-mark.sql, semel_record_due (expires_at>? AND expires_at<?)",
        "prune-audit.sql, semel_record_due (expires_at>? AND expires_at<?)",
    })
    void a_verb_reads_what_it_is_about_in_the_order_that_it_wants(String verb, String index) throws SQLException {
        for (String name : new String[] {"empty.db", "analyzed.db"}) {
            assertThat(plan(name, verb))
                    .as("%s on %s", verb, name)
                    .contains(index)
                    .doesNotContain("SCAN")
                    .doesNotContain("TEMP B-TREE FOR ORDER BY");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty.db", "analyzed.db"})
    void listing_what_is_unknown_does_not_read_what_is_not(String name) throws SQLException {
        assertThat(plan(name, "list-unknown.sql")).contains("semel_record_unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty.db", "analyzed.db"})
    void what_is_being_executed_is_read_in_the_order_of_the_index_of_leases(String name) throws SQLException {
        assertThat(plan(name, "search-running.sql"))
                .contains("USING INDEX semel_record_lease_end")
                .doesNotContain("TEMP B-TREE");
    }

    @Test
    void deleting_reads_the_two_indexes_of_what_is_due() throws SQLException {
        assertThat(plan("analyzed.db", "prune-delete.sql"))
                .contains("semel_record_due (expires_at>? AND expires_at<?)", "semel_record_marked (expires_at<?)")
                .doesNotContain("SCAN semel_record");
    }
}
