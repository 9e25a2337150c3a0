package dev.semel.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import dev.semel.testkit.contract.StoreVerbs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cassandra: the contract")
class CassandraStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() {
        return new CassandraHarness();
    }

    @Test
    @DisplayName(
            "a verb on one record is one round trip; one on many is a query of the index, a read and a write of each record")
    @Override
    public void round_trips_of_reconciliation() {
        for (int i = 0; i < 20; i++) {
            granted("k" + i);
        }
        expireLeases();
        assertThat(roundTrips(() -> sweep(100))).as("sweep").isEqualTo(1 + 20 + 20);
        assertThat(roundTrips(() -> due(100))).as("due").isEqualTo(1 + 20 + 20);
        Lease lease = record("k0").lease();
        assertThat(roundTrips(() -> reschedule(lease, new Reschedule.RetryAfter(1, HOLD))))
                .as("again")
                .isEqualTo(1);
        assertThat(roundTrips(() -> reschedule(lease, new Reschedule.DeadLetter(1))))
                .as("dead letter")
                .isEqualTo(1);
        assertThat(roundTrips(() -> reschedule(lease, new Reschedule.Reset())))
                .as("afresh")
                .isEqualTo(1);
        assertThat(roundTrips(() -> reconcile(lease, StoreVerbs.notExecuted())))
                .as("verdict")
                .isEqualTo(1);
        assertThat(roundTrips(() -> history("k0"))).as("history").isEqualTo(1);
    }

    private long roundTrips(Runnable verb) {
        long before = harness().roundTrips();
        verb.run();
        return harness().roundTrips() - before;
    }
}
