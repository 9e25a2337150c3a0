package dev.semel.cassandra;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.LateRetryContract;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, records in Cassandra")
class CassandraLateRetryTest extends LateRetryContract {

    @Override
    protected StoreHarness open(Duration tombstones) {
        return new CassandraHarness(tombstones);
    }
}
