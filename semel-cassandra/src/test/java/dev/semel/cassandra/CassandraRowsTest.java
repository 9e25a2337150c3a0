package dev.semel.cassandra;

import static dev.semel.testkit.contract.StoreVerbs.EVIDENCE;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cassandra: rows, TTL and fences")
class CassandraRowsTest {

    private final CassandraHarness harness = new CassandraHarness();
    private final Store store = harness.store();
    private final CqlSession session = CassandraServers.session();

    @AfterEach
    void close() {
        harness.close();
    }

    private Lease granted(Store from, String key) {
        return ((ClaimAnswer.Granted) await(from.claim(request(key)))).lease();
    }

    private Row row(String key) {
        return Objects.requireNonNull(session.execute(
                        "SELECT state, fence, TTL(record) AS ttl, TTL(fence) AS fence_ttl FROM semel.semel_records"
                                + " WHERE scope = 'acme' AND key = ?",
                        key)
                .one());
    }

    @Test
    @DisplayName(
            "only settled records have a TTL, three hours beyond their retention at least, and the same in every column")
    void ttl() {
        Lease open = granted(store, "open");
        assertThat(row("open").isNull("ttl")).isTrue();
        await(store.settle(open, unknown(), Duration.ofDays(1)));
        assertThat(row("open").isNull("ttl")).isTrue();
        store.reconcile(open, completed("done"), EVIDENCE, Duration.ofDays(1));
        long expected = Duration.ofDays(1).plusHours(3).toSeconds();
        assertThat((long) row("open").getInt("ttl")).isBetween(expected - 120, expected + 2);
        assertThat(row("open").getInt("fence_ttl")).isEqualTo(row("open").getInt("ttl"));
        assertThat(row("open").getString("state")).isEqualTo("completed");
    }

    @Test
    @DisplayName("a retention longer than Cassandra's longest TTL has none, and pruning ends it")
    void very_long() {
        await(store.settle(granted(store, "k"), completed("done"), Duration.ofDays(365 * 30)));
        assertThat(row("k").isNull("ttl")).isTrue();
    }

    @Test
    @DisplayName(
            "I2: a record that is deleted soon after its claim leaves its fence, for a process whose clock is behind")
    void deleted_soon() {
        Lease first = granted(store, "k");
        await(store.settle(first, completed("done"), Duration.ofDays(1)));
        store.forget(first, EVIDENCE);
        assertThat(store.prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(await(store.find(StoreVerbs.id("k")))).isEmpty();
        assertThat(store.sample(10)).isEmpty();
        assertThat(store.prune(10, Expiry.DELETE)).isZero();
        assertThat(row("k").getString("state")).isEqualTo("deleted");
        assertThat((long) row("k").getInt("ttl"))
                .isGreaterThan(Duration.ofHours(2).toSeconds());
        // Time stands still here: only what was left of the record tells the other process of its fence.
        Lease second = granted(harness.another(), "k");
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(await(store.settle(first, completed("stale"), Duration.ofDays(1))))
                .isInstanceOf(SettleAnswer.Refused.class);
    }

    @Test
    @DisplayName("I2: fences rise when the TTL has deleted the row")
    void deleted_by_ttl() {
        Lease first = granted(store, "k");
        await(store.settle(first, completed("done"), Duration.ofMinutes(1)));
        harness.elapse(Duration.ofHours(4));
        CassandraServers.empty(session, "semel_records");
        assertThat(granted(store, "k").fence()).isGreaterThan(first.fence());
    }

    @Test
    @DisplayName("I4: a retention that has ended by the estimate alone is read again, and the node's own time counts")
    void confirmed_expiry() {
        await(store.settle(granted(store, "k"), completed("done"), Duration.ofMinutes(1)));
        harness.time().advance(Duration.ofHours(1));
        harness.between().tell(told -> harness.time().instant().minus(Duration.ofHours(1)));
        harness.between()
                .fail((statement, send) -> Between.isClock(statement)
                        ? CompletableFuture.failedFuture(new DriverTimeoutException("no answer in time"))
                        : send.apply(statement));
        long before = harness.roundTrips();
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(harness.roundTrips() - before).isEqualTo(2);
        harness.between().fail((statement, send) -> send.apply(statement));
        harness.between().tell(told -> harness.time().instant());
        ((CassandraStore) store).hearNodes();
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Granted.class);
    }
}
