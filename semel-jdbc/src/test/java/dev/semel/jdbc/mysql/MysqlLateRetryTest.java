package dev.semel.jdbc.mysql;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalLateRetryContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

@DisplayName("Late retries, records in MariaDB")
@Timeout(300)
class MysqlLateRetryTest extends TransactionalLateRetryContract {

    @Override
    protected TransactionalHarness open(Duration tombstones) throws SQLException {
        return new MysqlHarness(
                Connection.TRANSACTION_REPEATABLE_READ,
                new MysqlOptions(SchemaMode.CREATE, false, MysqlOptions.DEFAULT_LANES, tombstones));
    }
}
