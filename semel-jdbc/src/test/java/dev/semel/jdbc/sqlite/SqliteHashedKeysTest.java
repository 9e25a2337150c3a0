package dev.semel.jdbc.sqlite;

import dev.semel.jdbc.testing.StoredBytes;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.NoClearKeyContract;
import dev.semel.testkit.contract.NoClearValueContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of the database file and of its write-ahead log. */
class SqliteHashedKeysTest implements NoClearKeyContract, NoClearValueContract {

    @TempDir
    Path directory;

    private SqliteHarness harness;

    @BeforeEach
    void open() {
        harness = new SqliteHarness(directory.resolve("semel.db"));
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
    public List<byte[]> storage() throws IOException {
        return StoredBytes.inFiles(directory);
    }
}
