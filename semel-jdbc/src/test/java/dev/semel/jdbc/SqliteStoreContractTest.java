package dev.semel.jdbc;

import dev.semel.testkit.StoreContract;
import dev.semel.testkit.StoreHarness;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreContractTest extends StoreContract {

    @TempDir
    Path directory;

    @Override
    protected StoreHarness open() {
        return new SqliteHarness(directory.resolve("semel.db"));
    }
}
