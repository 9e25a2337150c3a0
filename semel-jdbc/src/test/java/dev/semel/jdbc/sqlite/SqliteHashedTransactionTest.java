package dev.semel.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.testing.StoredBytes;
import dev.semel.testkit.contract.HashedKeysContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("hashed keys in transactions of the application's")
class SqliteHashedTransactionTest {

    private static final Identity ID = Identity.of("acme", "jane@example.com");

    @TempDir
    Path directory;

    private SqliteHarness harness;
    private SemelEngine semel;

    @BeforeEach
    void open() {
        harness = new SqliteHarness(directory.resolve("semel.db"));
        semel = SemelEngine.on(harness.transactional())
                .hashedKeys(HashedKeysContract.SECRET)
                .build();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private static Intent intent() {
        return Intent.of(Operation.named("charge"), ID.scope(), ID.key(), new Fingerprint("v1:meant"));
    }

    private void assertStoredHashed() throws Exception {
        assertThat(semel.find(ID)).isPresent();
        List<String> stored = new ArrayList<>();
        for (byte[] file : StoredBytes.inFiles(directory)) {
            stored.add(new String(file, StandardCharsets.ISO_8859_1));
        }
        assertThat(stored)
                .anyMatch(bytes -> bytes.contains(semel.stored(ID).key().value()))
                .noneMatch(bytes -> bytes.contains("jane@"));
    }

    @Test
    void of_its_own() throws Exception {
        Execution<String> first = semel.executeInTransaction(
                harness.connections(), intent(), Codec.text(), (connection, attempt) -> "charged");
        assertThat(first).isInstanceOf(Execution.Ran.class);
        assertStoredHashed();
        assertThat(semel.execute(intent(), Codec.text(), attempt -> "again"))
                .isEqualTo(new Execution.Replayed<>("charged"));
    }

    @Test
    void of_the_callers() throws Exception {
        try (Connection connection = harness.connections().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(semel.within(connection).execute(intent(), Codec.text(), attempt -> "charged"))
                    .isInstanceOf(Execution.Ran.class);
            connection.commit();
        }
        assertStoredHashed();
        assertThat(semel.execute(intent(), Codec.text(), attempt -> "again"))
                .isEqualTo(new Execution.Replayed<>("charged"));
    }
}
