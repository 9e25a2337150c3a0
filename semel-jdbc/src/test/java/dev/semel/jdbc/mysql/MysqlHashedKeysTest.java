package dev.semel.jdbc.mysql;

import dev.semel.jdbc.testing.StoredBytes;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.NoClearKeyContract;
import dev.semel.testkit.contract.NoClearValueContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The rows of all tables of the database. */
class MysqlHashedKeysTest implements NoClearKeyContract, NoClearValueContract {

    private MysqlHarness harness;

    @BeforeEach
    void open() throws SQLException {
        harness = new MysqlHarness(Connection.TRANSACTION_READ_COMMITTED);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    @Override
    public List<byte[]> storage() throws SQLException {
        return StoredBytes.inTables(harness.connections());
    }
}
