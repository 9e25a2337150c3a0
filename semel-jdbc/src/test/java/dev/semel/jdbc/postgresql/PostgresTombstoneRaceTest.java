package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation.LateRetries;
import dev.semel.Retention.Expiry;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: a claim that waits for the deletion of its record")
@Timeout(120)
class PostgresTombstoneRaceTest {

    private static final Duration TOMBSTONES = Duration.ofDays(30);

    private static final String BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND datname = current_database()";

    @Test
    @DisplayName("sees the tombstone that was committed with it, though its own statement began before")
    void sees_the_tombstone() throws Exception {
        PostgresOptions options =
                new PostgresOptions(SchemaMode.CREATE, false, PostgresOptions.DEFAULT_LANES, TOMBSTONES);
        try (PostgresHarness harness = new PostgresHarness("", options);
                Connection pruning = harness.connections().getConnection();
                Connection claiming = harness.connections().getConnection()) {
            ClaimAnswer.Granted granted =
                    (ClaimAnswer.Granted) await(harness.store().claim(request("k")));
            await(harness.store().settle(granted.lease(), completed("done"), RETENTION));
            harness.elapse(RETENTION.plusSeconds(1));
            pruning.setAutoCommit(false);
            assertThat(PostgresQuery.prune(100, Expiry.DELETE, new TombstoneTable(true, TOMBSTONES))
                            .on(pruning))
                    .containsExactly(1);

            claiming.setAutoCommit(false);
            StoreTransaction transaction = harness.transactional().within(claiming, Duration.ofMinutes(1));
            ClaimRequest late = request("k").withFirstUse(FirstUse.of(null, RETENTION, LateRetries.BY_KEY));
            CompletableFuture<ClaimAnswer> answer = CompletableFuture.supplyAsync(() -> transaction.claim(late));
            Awaitility.await().until(() -> !harness.text(BLOCKED).equals("0"));
            assertThat(answer).isNotDone();
            pruning.commit();
            assertThat(answer.join()).isInstanceOf(ClaimAnswer.TooLate.class);
            claiming.commit();
            assertThat(harness.text("SELECT count(*) FROM semel_record")).isEqualTo("0");
        }
    }
}
