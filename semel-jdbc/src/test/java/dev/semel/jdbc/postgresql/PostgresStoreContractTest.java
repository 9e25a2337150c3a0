package dev.semel.jdbc.postgresql;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import java.sql.SQLException;

class PostgresStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() throws SQLException {
        return new PostgresHarness();
    }
}
