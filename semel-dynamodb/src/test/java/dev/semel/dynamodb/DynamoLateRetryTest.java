package dev.semel.dynamodb;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.LateRetryContract;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Late retries, records in DynamoDB")
class DynamoLateRetryTest extends LateRetryContract {

    @Override
    protected StoreHarness open(Duration tombstones) {
        return new DynamoHarness(tombstones);
    }
}
