package dev.semel.jdbc;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.ClaimAnswer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PostgreSQL: fences rise whatever happens between taking one and writing it")
class PostgresFenceTest {

    /** The record of a claim that came later, took a higher fence, and is past its retention. */
    private static final String SHORT_LIFE = """
            UPDATE semel_record
            SET fence = nextval('semel_fence'), state = 'completed', response = '', locked_until = NULL,
                expires_at = clock_timestamp()
            """;

    @Test
    void a_claim_that_waited_while_a_later_one_came_and_went_gets_the_higher_fence() throws Exception {
        String uri = PostgresServer.newDatabase();
        try (PostgresStore store = PostgresStore.open((StoreUri.Postgresql) StoreUri.parse(uri));
                var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            ClaimAnswer.Granted template = (ClaimAnswer.Granted) await(store.claim(request("template")));
            other.setAutoCommit(false);
            // Not committed: a claim of this key takes its fence, and then waits to see whether the row stays.
            statement.execute("INSERT INTO semel_record SELECT (jsonb_populate_record(r, '{\"key\": \"k\"}')).*"
                    + " FROM semel_record r");
            CompletableFuture<ClaimAnswer> waiting =
                    CompletableFuture.supplyAsync(() -> await(store.claim(request("k"))));
            awaitBlockedClaim(uri);

            statement.execute(SHORT_LIFE + " WHERE key = 'k'");
            long higher = fenceOf(statement);
            assertThat(pruneAsTheStoreDoes(other)).isEqualTo(1);
            other.commit();

            ClaimAnswer.Granted granted = (ClaimAnswer.Granted) waiting.join();
            assertThat(higher).isGreaterThan(template.lease().fence());
            assertThat(granted.lease().fence()).isGreaterThan(higher);
        }
    }

    private static long fenceOf(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT fence FROM semel_record WHERE key = 'k'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static int pruneAsTheStoreDoes(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(Sql.file("postgresql/prune-delete.sql"))) {
            statement.setInt(1, 10);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt("pruned");
            }
        }
    }

    private static void awaitBlockedClaim(String uri) throws SQLException {
        String blocked = "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'";
        try (var pool = ((StoreUri.Postgresql) StoreUri.parse(uri + "?poolSize=1")).dataSource();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                try (ResultSet row = statement.executeQuery(blocked)) {
                    row.next();
                    return row.getInt(1) == 1;
                }
            });
        }
    }
}
