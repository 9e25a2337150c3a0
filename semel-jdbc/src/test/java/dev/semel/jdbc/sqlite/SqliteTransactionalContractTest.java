package dev.semel.jdbc.sqlite;

import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTransactionalContractTest extends TransactionalStoreContract {

    @TempDir
    Path directory;

    @Override
    protected TransactionalHarness open() {
        return new SqliteHarness(directory.resolve("semel.db"));
    }
}
