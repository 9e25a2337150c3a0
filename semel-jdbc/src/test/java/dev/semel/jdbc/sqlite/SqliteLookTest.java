package dev.semel.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: the first look of a claim")
class SqliteLookTest {

    private static final Identity ID = Identity.of("acme", "key-1");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Outcome PAID = new Outcome.Completed(Response.of("paid".getBytes(StandardCharsets.UTF_8)));

    @TempDir
    Path directory;

    private SqliteStore store;
    private SqliteConnection connection;

    @BeforeEach
    void open() throws SQLException {
        Path file = directory.resolve("semel.db");
        store = SqliteStore.open(file);
        connection = SqliteConnection.open(SqliteStore.dataSource(file), Duration.ofSeconds(5));
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        store.close();
    }

    private Lease claimed(String operation, String holder) {
        ClaimRequest request = new ClaimRequest(
                ID, operation, new Fingerprint("v1.2026-a:00ff"), Duration.ofSeconds(30), true, holder);
        return ((ClaimAnswer.Granted) store.blocking().claim(request)).record().lease();
    }

    private SqliteLook look() throws SQLException {
        return SqliteLook.at(connection, ID);
    }

    private StoredRecord onRecord() {
        return store.blocking().find(ID).orElseThrow();
    }

    @Test
    void finds_nothing_where_there_is_no_record() throws SQLException {
        assertThat(look()).isEqualTo(new SqliteLook(false, null));
    }

    @Test
    void leaves_a_record_in_progress_to_be_read() throws SQLException {
        claimed("create-payment", "h1");

        assertThat(look()).isEqualTo(new SqliteLook(true, null));
    }

    @Test
    void reads_a_completed_record_as_it_is() throws SQLException {
        Lease lease = claimed("a name with spaces", "h1 POST /a b\noutline");
        store.blocking().settle(lease, PAID, DAY);

        StoredRecord found = look().record();

        assertThat(found)
                .usingRecursiveComparison()
                .ignoringFields("times.asOf")
                .isEqualTo(onRecord());
        assertThat(found.response()).isEqualTo(onRecord().response());
        assertThat(found.times().asOf())
                .isBetween(onRecord().times().updatedAt(), onRecord().times().asOf());
    }

    @Test
    void reads_a_completed_record_past_its_retention_as_expired() throws SQLException {
        store.blocking().settle(claimed("create-payment", "h1"), PAID, Duration.ZERO);

        assertThat(look().record())
                .extracting(StoredRecord::state, StoredRecord::response)
                .containsExactly(State.EXPIRED, null);
    }

    @Test
    void leaves_a_record_that_was_settled_on_evidence_to_be_read() throws SQLException {
        Lease lease = claimed("create-payment", "h1");
        store.blocking().settle(lease, new Outcome.Unknown("timeout"), DAY);
        store.reconcile(lease, PAID, new Evidence("provider", "statement 7"), DAY);

        assertThat(look()).isEqualTo(new SqliteLook(true, null));
        assertThat(onRecord().evidence()).isNotNull();
    }
}
