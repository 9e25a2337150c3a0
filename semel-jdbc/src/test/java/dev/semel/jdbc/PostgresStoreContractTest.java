package dev.semel.jdbc;

import dev.semel.testkit.StoreContract;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import java.sql.SQLException;

class PostgresStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @Override
    protected StoreHarness open() throws SQLException {
        return new PostgresHarness();
    }
}
