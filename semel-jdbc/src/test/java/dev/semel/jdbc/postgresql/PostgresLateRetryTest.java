package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalLateRetryContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

@DisplayName("Late retries, records in PostgreSQL")
@Timeout(300)
class PostgresLateRetryTest extends TransactionalLateRetryContract {

    @Override
    protected TransactionalHarness open(Duration tombstones) throws SQLException {
        return new PostgresHarness(
                "", new PostgresOptions(SchemaMode.CREATE, false, PostgresOptions.DEFAULT_LANES, tombstones));
    }
}
