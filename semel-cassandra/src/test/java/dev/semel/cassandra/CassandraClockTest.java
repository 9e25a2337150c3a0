package dev.semel.cassandra;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Here the application's clocks are real, wall clock and elapsed time, and only those of the nodes are others. */
@DisplayName("Cassandra: the application's clock decides nothing")
class CassandraClockTest {

    private static final Duration LEASE = StoreVerbs.LEASE;
    private static final Duration RETENTION = StoreVerbs.RETENTION;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final CassandraHarness harness = new CassandraHarness();
    private final Between nodes = new Between(CassandraServers.session());

    @BeforeEach
    void follow() {
        nodes.tell(told -> told.plus(ahead.get()));
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void elapse(CassandraStore store, Duration duration) {
        ahead.updateAndGet(before -> before.plus(duration));
        store.hearNodes();
    }

    private static Lease granted(CassandraStore store, String key) {
        return ((ClaimAnswer.Granted) await(store.claim(request(key)))).lease();
    }

    @ParameterizedTest(name = "by {0} minutes")
    @ValueSource(ints = {-60, 60, 1440})
    @DisplayName("I10: leases and retention end by the clocks of the nodes where the application's is wrong")
    void wrong_application_clock(int minutes) {
        ahead.set(Duration.ofMinutes(minutes));
        CassandraStore store = CassandraStore.on(
                nodes.session(), CassandraServers.KEYSPACE, "semel_records", CassandraServers.OPTIONS);
        Lease running = granted(store, "running");
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        await(store.settle(granted(store, "done"), StoreVerbs.completed("done"), RETENTION));
        assertThat(store.sweep(10)).isEmpty();

        elapse(store, LEASE.minusSeconds(20));
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(await(store.renew(running, LEASE))).isEqualTo(RenewAnswer.RENEWED);

        elapse(store, LEASE.plusSeconds(2));
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Unknown.class);

        elapse(store, RETENTION.minus(LEASE.multipliedBy(4)));
        assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Recorded.class);
        elapse(store, LEASE.multipliedBy(5));
        assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Granted.class);
    }
}
