package dev.semel.testkit;

import dev.semel.testkit.contract.LateRetryContract;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, records in memory")
class MemoryLateRetryTest extends LateRetryContract {

    @Override
    protected StoreHarness open(Duration tombstones) {
        return new MemoryHarness(tombstones);
    }

    @Override
    protected int schedules() {
        return 100_000;
    }
}
