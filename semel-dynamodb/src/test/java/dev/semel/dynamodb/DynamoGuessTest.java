package dev.semel.dynamodb;

import static dev.semel.testkit.contract.StoreVerbs.EVIDENCE;
import static dev.semel.testkit.contract.StoreVerbs.LEASE;
import static dev.semel.testkit.contract.StoreVerbs.OPERATION;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("DynamoDB: what a process wrote last is a guess")
class DynamoGuessTest {

    private final DynamoHarness harness = new DynamoHarness();
    private final Store one = harness.store();
    private final Store other = harness.another();

    @AfterEach
    void close() {
        harness.close();
    }

    private static Lease granted(Store store, ClaimRequest request) {
        return ((ClaimAnswer.Granted) await(store.claim(request))).lease();
    }

    @Test
    @DisplayName("a verb that the guess would refuse is decided on the item as it is")
    void wrongly_refused() {
        Lease lease = granted(one, request("k"));
        await(one.settle(lease, unknown(), RETENTION));
        assertThat(other.due(OPERATION, 10, Duration.ofMinutes(1))).hasSize(1);
        assertThat(one.reschedule(lease, new Reschedule.RetryAfter(1, Duration.ofHours(1)), EVIDENCE))
                .isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("I2: a verb that the guess would allow is refused when the item is another")
    void wrongly_allowed() {
        Lease stale = granted(one, reexecutable("k"));
        harness.elapse(LEASE.plusSeconds(1));
        Lease current = granted(other, reexecutable("k"));
        assertThat(await(one.settle(stale, completed("stale"), RETENTION))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(await(other.settle(current, completed("current"), RETENTION)))
                .isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("a process that has not seen the record settles it with a read more")
    void no_guess() {
        Lease lease = granted(one, request("k"));
        long before = harness.roundTrips();
        assertThat(await(other.settle(lease, completed("done"), RETENTION))).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(harness.roundTrips() - before).isEqualTo(2);
    }
}
