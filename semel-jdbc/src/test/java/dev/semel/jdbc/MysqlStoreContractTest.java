package dev.semel.jdbc;

import dev.semel.testkit.StoreContract;
import dev.semel.testkit.StoreHarness;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("MariaDB")
class MysqlStoreContractTest extends StoreContract {

    @Override
    protected StoreHarness open() throws SQLException {
        return new MysqlHarness(Connection.TRANSACTION_READ_COMMITTED);
    }
}
