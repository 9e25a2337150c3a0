package dev.semel.jdbc;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.TransactionalStoreContract;
import java.sql.SQLException;

class PostgresTransactionalStoreContractTest extends TransactionalStoreContract {

    @Override
    protected TransactionalHarness open() throws SQLException {
        return new PostgresHarness();
    }
}
