package dev.semel.jdbc.sqlite;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testkit.contract.TransactionalLateRetryContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Late retries, records in SQLite")
@Timeout(300)
class SqliteLateRetryTest extends TransactionalLateRetryContract {

    @TempDir
    Path directory;

    @Override
    protected TransactionalHarness open(Duration tombstones) {
        return new SqliteHarness(
                directory.resolve(UUID.randomUUID() + ".db"),
                new SqliteOptions(SchemaMode.CREATE, Duration.ofSeconds(5), tombstones));
    }
}
