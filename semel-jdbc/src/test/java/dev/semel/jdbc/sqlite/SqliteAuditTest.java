package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.EVIDENCE;
import static dev.semel.testkit.contract.StoreVerbs.LEASE;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: no change without its entry, no entry without its change")
@Timeout(300)
class SqliteAuditTest {

    private static final Duration NOTHING = Duration.ZERO;

    @TempDir
    Path directory;

    private DataSource file;
    private SqliteStore store;

    @BeforeEach
    void open() {
        Path path = directory.resolve("semel.db");
        store = SqliteStore.open(path);
        file = SqliteStore.dataSource(path);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = file.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Every row of the two tables, as text. */
    private List<String> everything() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = file.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("semel_record", "semel_audit")) {
                try (ResultSet row = statement.executeQuery("SELECT * FROM " + table + " ORDER BY rowid")) {
                    while (row.next()) {
                        StringBuilder text = new StringBuilder(table);
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            text.append('|').append(row.getString(i));
                        }
                        rows.add(text.toString());
                    }
                }
            }
        }
        return rows;
    }

    private Lease granted(String key) {
        return ((ClaimAnswer.Granted) await(store.claim(request(key)))).lease();
    }

    private Lease granted(String key, Duration lease, boolean reexecutable) {
        ClaimRequest plain = request(key);
        return ((ClaimAnswer.Granted) await(store.claim(new ClaimRequest(
                        plain.identity(),
                        plain.operation(),
                        plain.fingerprint(),
                        lease,
                        reexecutable,
                        plain.holder()))))
                .lease();
    }

    private Lease unknownLease(String key) {
        Lease lease = granted(key);
        await(store.settle(lease, unknown(), RETENTION));
        return lease;
    }

    private void assertNothingWithoutItsEntry(Supplier<Object> verb) throws SQLException {
        List<String> before = everything();
        execute("CREATE TRIGGER full BEFORE INSERT ON semel_audit BEGIN SELECT raise(ABORT, 'no more entries'); END");
        assertThatThrownBy(verb::get).isInstanceOf(StoreException.class);
        assertThat(everything()).isEqualTo(before);
        execute("DROP TRIGGER full");
        assertThat(verb.get()).isNotNull();
        assertThat(everything()).isNotEqualTo(before);
    }

    @Test
    void no_claim_is_granted_without_its_entry() throws SQLException {
        assertNothingWithoutItsEntry(() -> store.blocking().claim(request("k")));
    }

    @Test
    void no_lease_is_taken_over_without_its_entry() throws SQLException {
        granted("k", NOTHING, true);
        ClaimRequest plain = request("k");
        assertNothingWithoutItsEntry(() -> store.blocking()
                .claim(new ClaimRequest(
                        plain.identity(), plain.operation(), plain.fingerprint(), LEASE, true, plain.holder())));
    }

    @Test
    void no_claim_gives_up_a_lease_without_its_entry() throws SQLException {
        granted("k", NOTHING, false);
        assertNothingWithoutItsEntry(() -> store.blocking().claim(request("k")));
    }

    @Test
    void nothing_is_settled_without_its_entry() throws SQLException {
        Lease lease = granted("k");
        assertNothingWithoutItsEntry(() -> store.blocking().settle(lease, completed("done"), RETENTION));
    }

    @Test
    void nothing_is_reconciled_without_its_entry() throws SQLException {
        Lease lease = unknownLease("k");
        assertNothingWithoutItsEntry(() -> store.reconcile(lease, notExecuted(), EVIDENCE, RETENTION));
    }

    @Test
    void nothing_is_rescheduled_without_its_entry() throws SQLException {
        Lease lease = unknownLease("k");
        assertNothingWithoutItsEntry(() -> store.reschedule(lease, new Reschedule.DeadLetter(0), EVIDENCE));
    }

    @Test
    void no_step_is_recorded_without_its_entry() throws SQLException {
        Lease lease = granted("k");
        assertNothingWithoutItsEntry(() -> store.blocking().step(lease, "charge", response("charged")));
    }

    @Test
    void nothing_of_a_batch_is_swept_without_the_entries_of_all() throws SQLException {
        granted("given-up", NOTHING, false);
        granted("reoffered", NOTHING, true);
        assertNothingWithoutItsEntry(() -> store.sweep(10));
    }

    @Test
    void nothing_is_marked_as_expired_without_its_entry() throws SQLException {
        await(store.settle(granted("k"), completed("done"), NOTHING));
        assertNothingWithoutItsEntry(() -> store.prune(10, Expiry.MARK));
    }

    @Test
    void marking_records_the_previous_state_of_each_marked_record_and_no_other() {
        await(store.settle(granted("completed"), completed("done"), NOTHING));
        await(store.settle(granted("failed"), notExecuted(), NOTHING));
        await(store.settle(granted("left"), completed("done"), RETENTION));
        assertThat(store.prune(1, Expiry.MARK)).isEqualTo(1);
        assertThat(store.history(id("failed"))).hasSize(2);
        assertThat(store.prune(10, Expiry.MARK)).isEqualTo(1);
        assertThat(store.prune(10, Expiry.MARK)).isZero();

        assertThat(last("completed").from()).isEqualTo(State.COMPLETED);
        assertThat(last("failed").from()).isEqualTo(State.FAILED_RETRYABLE);
        for (String key : List.of("completed", "failed")) {
            assertThat(last(key).change()).isEqualTo(Change.EXPIRED);
            assertThat(last(key).to()).isEqualTo(State.EXPIRED);
            assertThat(last(key).who()).isEqualTo(AuditEntry.PRUNING);
        }
        assertThat(last("left").change()).isEqualTo(Change.SETTLED);
    }

    private AuditEntry last(String key) {
        List<AuditEntry> entries = store.history(id(key));
        return entries.get(entries.size() - 1);
    }

    @Test
    void marking_leaves_neither_response_nor_steps_in_the_file() throws SQLException {
        Lease failed = granted("failed");
        await(store.step(failed, "charge", response("secret")));
        await(store.settle(failed, notExecuted(), NOTHING));
        await(store.settle(granted("completed"), completed("secret"), NOTHING));
        assertThat(store.prune(10, Expiry.MARK)).isEqualTo(2);
        assertThat(everything()).noneMatch(row -> row.contains("secret"));
    }

    @Test
    void deleting_takes_the_entries_of_what_it_deletes_and_no_others() throws SQLException {
        await(store.settle(granted("deleted"), completed("done"), NOTHING));
        await(store.settle(granted("kept"), completed("done"), RETENTION));
        assertThat(store.prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(store.history(id("deleted"))).isEmpty();
        assertThat(store.history(id("kept")))
                .extracting(AuditEntry::change)
                .containsExactly(Change.GRANTED, Change.SETTLED);
    }

    @Test
    void numbers_go_on_rising_after_entries_were_deleted() {
        await(store.settle(granted("k"), completed("done"), NOTHING));
        long number = last("k").number();
        store.prune(10, Expiry.DELETE);
        granted("k");
        assertThat(last("k").number()).isGreaterThan(number);
    }
}
