package dev.semel.jdbc.mysql;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;

@DisplayName("MariaDB")
class MysqlStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() throws SQLException {
        return new MysqlHarness(Connection.TRANSACTION_READ_COMMITTED);
    }
}
