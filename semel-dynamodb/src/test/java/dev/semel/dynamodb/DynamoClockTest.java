package dev.semel.dynamodb;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Here the application's clocks are real, wall clock and elapsed time, and only the service's is another. */
@DisplayName("DynamoDB: the application's clock decides nothing")
class DynamoClockTest {

    private static final Duration LEASE = StoreVerbs.LEASE;
    private static final Duration RETENTION = StoreVerbs.RETENTION;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final ServiceTime service = new ServiceTime();
    private final DynamoDbAsyncClient client = DynamoHarness.client(service);
    private final String table = DynamoServer.newTable();

    private DynamoStore open() {
        service.follow(() -> Instant.now().plus(ahead.get()));
        return DynamoStore.on(client, table, DynamoOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void elapse(DynamoStore store, Duration duration) {
        ahead.updateAndGet(before -> before.plus(duration));
        for (int answer = 0; answer < 3; answer++) {
            await(store.find(StoreVerbs.id("any")));
        }
    }

    private static Lease granted(DynamoStore store, String key) {
        return ((ClaimAnswer.Granted) await(store.claim(request(key)))).lease();
    }

    @ParameterizedTest(name = "by {0} minutes")
    @ValueSource(ints = {-60, 60, 1440})
    @DisplayName("I10: leases and retention end by the service's clock where the application's is wrong")
    void wrong_application_clock(int minutes) {
        ahead.set(Duration.ofMinutes(minutes));
        DynamoStore store = open();
        Lease running = granted(store, "running");
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        await(store.settle(granted(store, "done"), StoreVerbs.completed("done"), RETENTION));
        assertThat(store.sweep(10)).isEmpty();

        elapse(store, LEASE.minusSeconds(10));
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(await(store.renew(running, LEASE))).isEqualTo(RenewAnswer.RENEWED);

        elapse(store, LEASE.plusSeconds(2));
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Unknown.class);

        elapse(store, RETENTION.minus(LEASE.multipliedBy(3)));
        assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Recorded.class);
        elapse(store, LEASE.multipliedBy(4));
        assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("I4: an answer with a false date, a month ahead, expires no lease and no record")
    void one_false_answer() {
        DynamoStore store = open();
        granted(store, "running");
        await(store.settle(granted(store, "done"), StoreVerbs.completed("done"), RETENTION));
        ahead.set(Duration.ofDays(30));
        assertThat(await(store.claim(request("running")))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(await(store.claim(request("done")))).isInstanceOf(ClaimAnswer.Recorded.class);
        ahead.set(Duration.ZERO);
        assertThat(await(store.find(StoreVerbs.id("done"))).orElseThrow().state())
                .isEqualTo(State.COMPLETED);
    }

    @Test
    @DisplayName("answers that contradict each other at the start are refused, since there is no clock to go by")
    void contradictions() {
        AtomicReference<Duration> drift = new AtomicReference<>(Duration.ZERO);
        service.follow(() -> Instant.now().plus(drift.updateAndGet(before -> before.plusHours(1))));
        assertThatThrownBy(() -> DynamoStore.on(client, table, DynamoOptions.DEFAULT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("contradict each other");
    }
}
