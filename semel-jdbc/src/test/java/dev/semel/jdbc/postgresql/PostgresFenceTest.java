package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PostgreSQL: what happens between a claim's judgement and its writing")
class PostgresFenceTest {

    /** The record of a later claim that took a higher fence and is past its retention. */
    private static final String SHORT_LIFE = """
            UPDATE semel_record
            SET fence = nextval('semel_fence'), state = 'completed', response = '', locked_until = NULL,
                expires_at = clock_timestamp()
            """;

    /** Claims the key "k", perhaps among others. */
    private interface Claiming {
        ClaimAnswer claim(PostgresStore store, DataSource connections);
    }

    @Test
    void a_claim_that_waited_while_a_later_one_came_and_went_gets_the_higher_fence() throws Exception {
        assertThatFenceRises((store, connections) -> await(store.claim(request("k"))));
    }

    @Test
    void a_batch_that_waited_while_a_later_claim_came_and_went_gets_the_higher_fence() throws Exception {
        assertThatFenceRises((store, connections) -> {
            PostgresFlushes flushes = new PostgresFlushes(
                    new PostgresStatements(connections, null), TombstoneTable.ABSENT, new SeenKeys());
            List<ClaimAnswer> answers = OnePostgresBatch.claim(flushes, List.of(request("neighbour"), request("k")));
            assertThat(answers.get(0)).isInstanceOf(ClaimAnswer.Granted.class);
            return answers.get(1);
        });
    }

    private static void assertThatFenceRises(Claiming claiming) throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        try (PostgresStore store = (PostgresStore) Stores.open(uri);
                var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            ClaimAnswer.Granted template = (ClaimAnswer.Granted) await(store.claim(request("template")));
            other.setAutoCommit(false);
            // Not committed: a claim of this key takes its fence, and then waits to see whether the row stays.
            statement.execute("INSERT INTO semel_record SELECT (jsonb_populate_record(r, '{\"key\": \"k\"}')).*"
                    + " FROM semel_record r");
            CompletableFuture<ClaimAnswer> waiting = CompletableFuture.supplyAsync(() -> claiming.claim(store, pool));
            PostgresServer.awaitBlockedStatement(uri);

            statement.execute(SHORT_LIFE + " WHERE key = 'k'");
            long higher = fenceOf(statement);
            assertThat(pruneAsTheStoreDoes(other)).isEqualTo(1);
            other.commit();

            ClaimAnswer.Granted granted = (ClaimAnswer.Granted) waiting.join();
            assertThat(higher).isGreaterThan(template.lease().fence());
            assertThat(granted.lease().fence()).isGreaterThan(higher);
        }
    }

    @Test
    @DisplayName("I5: a claim that found a lease expired is busy when a heartbeat was written first")
    void a_heartbeat_that_was_written_first_keeps_its_lease() throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        try (PostgresStore store = (PostgresStore) Stores.open(uri);
                var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            await(store.claim(request("k")));
            statement.execute("UPDATE semel_record SET locked_until = clock_timestamp()");
            other.setAutoCommit(false);
            statement.execute("UPDATE semel_record SET locked_until = clock_timestamp() + interval '1 hour'");
            CompletableFuture<ClaimAnswer> waiting =
                    CompletableFuture.supplyAsync(() -> await(store.claim(request("k"))));
            PostgresServer.awaitBlockedStatement(uri);
            other.commit();
            assertThat(waiting.join()).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    void a_step_that_was_written_first_goes_to_the_claim_that_takes_over() throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        try (PostgresStore store = (PostgresStore) Stores.open(uri);
                var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection();
                Statement statement = other.createStatement()) {
            Lease lease = ((ClaimAnswer.Granted) await(store.claim(reexecutable("k")))).lease();
            statement.execute("UPDATE semel_record SET locked_until = clock_timestamp(), doubt_since = '2000-01-01'");
            other.setAutoCommit(false);
            PostgresQuery.step(lease, "charge", response("charged")).on(other);
            CompletableFuture<ClaimAnswer> waiting =
                    CompletableFuture.supplyAsync(() -> await(store.claim(reexecutable("k"))));
            PostgresServer.awaitBlockedStatement(uri);
            other.commit();
            StoredRecord granted = ((ClaimAnswer.Granted) waiting.join()).record();
            assertThat(granted.steps().find("charge")).contains(response("charged"));
            assertThat(granted.times().doubtSince())
                    .as("since the attempt before, whose step ended the older doubt")
                    .isAfter(Instant.parse("2000-01-01T00:00:00Z"));
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
}
