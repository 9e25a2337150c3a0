package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.HOLD;
import static dev.semel.testkit.contract.StoreVerbs.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.reconcile.StoredRecord;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: records that several processes take at once")
@Timeout(120)
class PostgresTakingTest {

    private static final int RECORDS = 2_000;
    private static final int BATCH = 50;
    private static final int THREADS = 4;

    private String uri;
    private PostgresStore one;
    private PostgresStore two;

    @BeforeEach
    void open() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
        one = (PostgresStore) Stores.open(uri);
        two = (PostgresStore) Stores.open(uri);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    /** The higher its number, the younger the record. */
    private void fill(String state) throws SQLException {
        PostgresServer.execute(uri, """
                INSERT INTO semel_record (
                    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder, locked_until,
                    created_at, updated_at, claimed_at, unknown_since, next_try_at, audit)
                SELECT 'acme', 'key-' || n, 'create-payment', 'v1:abc', state, n, 1, n %% 2 = 0, 'holder',
                       CASE state WHEN 'in_progress' THEN time END, time, time, time,
                       CASE state WHEN 'unknown' THEN time END, CASE state WHEN 'unknown' THEN time END, '{}'
                FROM generate_series(1, %d) AS n,
                     LATERAL (SELECT '%s' AS state, now() - interval '1 day' + n * interval '1 second' AS time) AS chosen
                """.formatted(RECORDS, state));
    }

    private static List<String> keys(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(n -> "key-" + n).toList();
    }

    private static List<String> keysOf(List<StoredRecord> records) {
        return records.stream().map(record -> record.identity().key().value()).toList();
    }

    @Test
    void sweepers_notice_each_of_2000_expired_leases_once() throws Exception {
        fill("in_progress");
        List<StoredRecord> swept = takeTogether(store -> store.sweep(BATCH));
        assertThat(keysOf(swept)).containsExactlyInAnyOrderElementsOf(keys(1, RECORDS));
        assertThat(auditedOnce()).isEqualTo(RECORDS);
    }

    @Test
    void askers_take_each_of_2000_unknown_records_once() throws Exception {
        fill("unknown");
        List<StoredRecord> taken = takeTogether(store -> store.due(OPERATION, BATCH, HOLD));
        assertThat(keysOf(taken)).containsExactlyInAnyOrderElementsOf(keys(1, RECORDS));
        assertThat(taken)
                .allSatisfy(record -> assertThat(record.reconciling())
                        .satisfies(search -> assertThat(search.tries()).isEqualTo(1)));
    }

    /** Every thread takes until there is nothing left to take. */
    private List<StoredRecord> takeTogether(Function<Store, List<StoredRecord>> taking) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<StoredRecord>>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                PostgresStore store = i % 2 == 0 ? one : two;
                futures.add(threads.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    List<StoredRecord> all = new ArrayList<>();
                    for (List<StoredRecord> batch = taking.apply(store);
                            !batch.isEmpty();
                            batch = taking.apply(store)) {
                        assertThat(batch.size()).isLessThanOrEqualTo(BATCH);
                        all.addAll(batch);
                    }
                    return all;
                }));
            }
            List<StoredRecord> all = new ArrayList<>();
            for (Future<List<StoredRecord>> future : futures) {
                all.addAll(future.get(1, TimeUnit.MINUTES));
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    private int auditedOnce() throws SQLException {
        try (var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection connection = pool.getConnection()) {
            return Integer.parseInt(OrdersDatabase.text(
                    connection,
                    "SELECT count(*) FROM (SELECT FROM semel_audit GROUP BY scope, key HAVING count(*) = 1) AS once"));
        }
    }

    @Test
    void sweeping_skips_a_record_that_another_transaction_has_locked() throws SQLException {
        fill("in_progress");
        lockedByAnother(5, () -> assertThat(keysOf(one.sweep(10))).isEqualTo(keys(6, 15)));
        assertThat(keysOf(one.sweep(5))).as("when it is free again").isEqualTo(keys(1, 5));
    }

    @Test
    void due_skips_a_record_that_another_transaction_has_locked() throws SQLException {
        fill("unknown");
        lockedByAnother(
                5, () -> assertThat(keysOf(one.due(OPERATION, 10, HOLD))).isEqualTo(keys(6, 15)));
        assertThat(keysOf(one.due(OPERATION, 5, HOLD)))
                .as("when it is free again")
                .isEqualTo(keys(1, 5));
    }

    private void lockedByAnother(int records, Runnable meanwhile) throws SQLException {
        try (var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection()) {
            other.setAutoCommit(false);
            OrdersDatabase.execute(other, "SELECT FROM semel_record WHERE fence <= " + records + " FOR UPDATE");
            meanwhile.run();
            other.rollback();
        }
    }

    @Test
    void a_heartbeat_during_a_sweep_keeps_its_lease() throws SQLException {
        fill("in_progress");
        try (var pool = ((StoreUri.Postgresql) StoreUri.parse(uri)).dataSource();
                Connection other = pool.getConnection()) {
            other.setAutoCommit(false);
            OrdersDatabase.execute(
                    other,
                    "UPDATE semel_record SET locked_until = clock_timestamp() + interval '1 hour' WHERE fence = 1");
            assertThat(keysOf(one.sweep(2))).isEqualTo(keys(2, 3));
            other.commit();
        }
        assertThat(keysOf(one.sweep(1))).isEqualTo(keys(4, 4));
    }
}
