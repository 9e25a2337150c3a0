package dev.semel.jdbc.sqlite;

import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    @TempDir
    Path directory;

    @Override
    protected StoreHarness open() {
        return new SqliteHarness(directory.resolve("semel.db"));
    }
}
