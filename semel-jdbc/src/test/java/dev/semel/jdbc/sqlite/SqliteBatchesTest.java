package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import dev.semel.jdbc.testing.ChildProcess;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: several sweep and ask at once, and each of 2,000 records is taken once")
@Timeout(180)
class SqliteBatchesTest {

    private static final int RECORDS = 2_000;

    /** Attempts that vanished a while ago: their leases ended at different moments. */
    private static final String VANISHED = """
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d)
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                                      locked_until, created_at, updated_at, claimed_at)
            SELECT 'acme', 'key-' || i, 'create-payment', 'v1:meant', 'in_progress', i + 1, 1, i %% 2, 'holder-' || i,
                   1700000000000000 + i %% 7, 0, 0, 0
            FROM n
            """.formatted(RECORDS);

    private static final String UNKNOWN = """
            UPDATE semel_record SET state = 'unknown', locked_until = NULL, unknown_since = locked_until,
                                    next_try_at = locked_until, reexecutable = 0
            """;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void fill() throws SQLException {
        file = directory.resolve("semel.db");
        SqliteStore.open(file).close();
        execute(VANISHED);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = SqliteStore.dataSource(file).getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static List<String> everyKey() {
        return IntStream.range(0, RECORDS).mapToObj(i -> "key-" + i).toList();
    }

    @Test
    void threads_with_stores_of_their_own_sweep_each_lease_once() throws Exception {
        assertThat(takenByTwoStores("sweep")).containsExactlyInAnyOrderElementsOf(everyKey());
        try (SqliteStore store = SqliteStore.open(file)) {
            for (int i = 0; i < RECORDS; i++) {
                assertSwept(store, i);
            }
        }
    }

    private static void assertSwept(SqliteStore store, int i) {
        StoredRecord record = await(store.find(id("key-" + i))).orElseThrow();
        Change change = i % 2 == 0 ? Change.GIVEN_UP : Change.REOFFERED;
        assertThat(record.state()).isEqualTo(i % 2 == 0 ? State.UNKNOWN : State.IN_PROGRESS);
        assertThat(store.history(id("key-" + i))).extracting(AuditEntry::change).containsExactly(change);
    }

    @Test
    void threads_with_stores_of_their_own_take_each_unknown_record_once() throws Exception {
        execute(UNKNOWN);
        assertThat(takenByTwoStores("due")).containsExactlyInAnyOrderElementsOf(everyKey());
        try (SqliteStore store = SqliteStore.open(file)) {
            assertThat(store.due("create-payment", 10, Duration.ofHours(1))).isEmpty();
        }
    }

    private List<String> takenByTwoStores(String verb) throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (SqliteStore one = SqliteStore.open(file);
                SqliteStore two = SqliteStore.open(file)) {
            List<Future<List<String>>> taken = new ArrayList<>();
            for (SqliteStore store : List.of(one, two, one, two)) {
                Callable<List<String>> taking = () -> {
                    together.await(1, TimeUnit.MINUTES);
                    return TakingProcess.takeAll(store, verb);
                };
                taken.add(threads.submit(taking));
            }
            List<String> keys = new ArrayList<>();
            for (Future<List<String>> each : taken) {
                keys.addAll(each.get(2, TimeUnit.MINUTES));
            }
            return keys;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void two_processes_sweep_each_lease_once() throws IOException {
        assertThat(takenByTwoProcesses("sweep")).containsExactlyInAnyOrderElementsOf(everyKey());
    }

    @Test
    void two_processes_take_each_unknown_record_once() throws IOException, SQLException {
        execute(UNKNOWN);
        assertThat(takenByTwoProcesses("due")).containsExactlyInAnyOrderElementsOf(everyKey());
    }

    private List<String> takenByTwoProcesses(String verb) throws IOException {
        try (ChildProcess one = ChildProcess.start(TakingProcess.class, "sqlite:" + file, verb);
                ChildProcess two = ChildProcess.start(TakingProcess.class, "sqlite:" + file, verb)) {
            one.go();
            two.go();
            List<String> keys = new ArrayList<>(one.report());
            keys.addAll(two.report());
            return keys;
        }
    }
}
