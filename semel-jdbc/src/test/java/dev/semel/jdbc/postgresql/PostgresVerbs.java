package dev.semel.jdbc.postgresql;

import dev.semel.testkit.contract.StoreVerbs;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests in the words of the contract, each on a PostgreSQL store of its own whose clock it can move. */
abstract class PostgresVerbs implements StoreVerbs {

    private PostgresHarness harness;

    @BeforeEach
    void openStore() throws SQLException {
        harness = new PostgresHarness();
    }

    @AfterEach
    void closeStore() {
        harness.close();
    }

    @Override
    public PostgresHarness harness() {
        return harness;
    }
}
