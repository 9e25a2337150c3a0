package dev.semel.jdbc;

import dev.semel.testkit.StoreContract;
import dev.semel.testkit.StoreHarness;
import java.sql.SQLException;

class PostgresStoreContractTest extends StoreContract {

    @Override
    protected StoreHarness open() throws SQLException {
        return new PostgresHarness();
    }
}
