package dev.semel.jdbc.postgresql;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalStoreContract;
import java.sql.SQLException;

class PostgresTransactionalStoreContractTest extends TransactionalStoreContract {

    @Override
    protected TransactionalHarness open() throws SQLException {
        return new PostgresHarness();
    }
}
