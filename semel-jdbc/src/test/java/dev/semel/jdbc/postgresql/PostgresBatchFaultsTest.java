package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.OneBatch;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.jdbc.testing.Connections;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: batches among other transactions, lost connections and each other")
@Timeout(180)
class PostgresBatchFaultsTest {

    private static final String OF_STORES = " FROM pg_stat_activity"
            + " WHERE datname = current_database() AND application_name = 'semel' AND pid <> pg_backend_pid()";

    private static final String KILL_THE_STORES = "SELECT pg_terminate_backend(pid)" + OF_STORES;

    /** The highest of each key. */
    private final AtomicLongArray fences = new AtomicLongArray(20);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private String uri;

    @BeforeEach
    void newDatabase() throws SQLException {
        uri = PostgresServer.shared().newDatabase();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private PostgresStore open() {
        return (PostgresStore) Stores.open(uri);
    }

    private StoreUri.Postgresql parsed() {
        return (StoreUri.Postgresql) StoreUri.parse(uri);
    }

    private static List<ClaimRequest> requests(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> request(prefix + i)).toList();
    }

    private static <T> CompletableFuture<T> settled(CompletableFuture<T> call) {
        call.handle((answer, fault) -> fault).orTimeout(1, TimeUnit.MINUTES).join();
        return call;
    }

    private static Throwable faultOf(CompletableFuture<?> call) {
        return call.handle((answer, fault) -> fault instanceof CompletionException ? fault.getCause() : fault)
                .join();
    }

    private long number(String sql) throws SQLException {
        try (HikariDataSource pool = parsed().dataSource();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_caller_that_was_granted_a_claim_when_connections_are_killed_under_load_is_the_holder_on_record()
            throws SQLException {
        try (PostgresStore store = open();
                HikariDataSource pool = parsed().dataSource();
                Connection killer = pool.getConnection();
                Statement kill = killer.createStatement()) {
            int granted = 0;
            for (int round = 0; round < 8; round++) {
                List<ClaimRequest> requests = requests("round-" + round + "-", 1_500);
                List<CompletableFuture<ClaimAnswer>> calls = new ArrayList<>();
                for (ClaimRequest request : requests) {
                    calls.add(store.claim(request).toCompletableFuture());
                }
                kill.execute(KILL_THE_STORES);
                calls.forEach(PostgresBatchFaultsTest::settled);
                for (int i = 0; i < requests.size(); i++) {
                    granted += check(store, requests.get(i), calls.get(i)) ? 1 : 0;
                }
            }
            assertThat(granted).as("most get through").isGreaterThan(6_000);
        }
    }

    /** Who was granted is on record with that lease; who heard a fault finds out by repeating the claim. */
    private static boolean check(PostgresStore store, ClaimRequest request, CompletableFuture<ClaimAnswer> call) {
        boolean failed = call.isCompletedExceptionally();
        if (failed) {
            assertThat(faultOf(call)).isInstanceOf(StoreException.class);
        }
        ClaimAnswer answer = failed ? await(store.claim(request)) : call.join();
        assertThat(answer).isInstanceOf(ClaimAnswer.Granted.class);
        if (failed || request.hashCode() % 16 == 0) {
            StoredRecord record = await(store.find(request.identity())).orElseThrow();
            assertThat(record.lease()).isEqualTo(((ClaimAnswer.Granted) answer).lease());
            assertThat(record.holder()).isEqualTo(request.holder());
            assertThat(record.attempts()).isEqualTo(1);
        }
        return !failed;
    }

    @Test
    void settlements_whose_connection_was_killed_are_faults_and_a_repetition_finds_out() throws SQLException {
        try (PostgresStore store = open();
                HikariDataSource pool = parsed().dataSource();
                Connection killer = pool.getConnection();
                Statement kill = killer.createStatement()) {
            List<Lease> leases = new ArrayList<>();
            PostgresFlushes flushes =
                    new PostgresFlushes(new PostgresStatements(pool, null), TombstoneTable.ABSENT, new SeenKeys());
            List<ClaimAnswer> granted = OnePostgresBatch.claim(flushes, requests("k", 3_000));
            for (ClaimAnswer answer : granted) {
                leases.add(((ClaimAnswer.Granted) answer).lease());
            }
            List<CompletableFuture<SettleAnswer>> calls = new ArrayList<>();
            for (Lease lease : leases) {
                calls.add(store.settle(lease, completed(lease.identity().key().value()), RETENTION)
                        .toCompletableFuture());
            }
            kill.execute(KILL_THE_STORES);
            for (int i = 0; i < leases.size(); i++) {
                Lease lease = leases.get(i);
                String key = lease.identity().key().value();
                if (settled(calls.get(i)).isCompletedExceptionally()) {
                    assertThat(faultOf(calls.get(i))).isInstanceOf(StoreException.class);
                    await(store.settle(lease, completed(key), RETENTION));
                } else {
                    assertThat(calls.get(i).join()).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
                }
                assertThat(await(store.find(lease.identity())).orElseThrow().response())
                        .isEqualTo(response(key));
            }
            assertThat(number("SELECT count(*) FROM semel_audit WHERE change = 'settled'"))
                    .as("each is settled once, whatever its callers were answered")
                    .isEqualTo(leases.size());
        }
    }

    @Test
    void two_processes_that_claim_the_same_keys_in_opposite_orders_never_wait_for_each_other_in_a_circle()
            throws Exception {
        noticeDeadlocks();
        try (PostgresStore one = open();
                PostgresStore two = open()) {
            CyclicBarrier together = new CyclicBarrier(2);
            for (int round = 0; round < 20; round++) {
                List<ClaimRequest> forwards = requests("round-" + round + "-", 300);
                List<ClaimRequest> backwards = new ArrayList<>(requests("round-" + round + "-", 300));
                Collections.reverse(backwards);
                Future<List<ClaimAnswer>> first = threads.submit(() -> claimAll(one, forwards, together));
                Future<List<ClaimAnswer>> second = threads.submit(() -> claimAll(two, backwards, together));
                List<ClaimAnswer> ones = first.get(1, TimeUnit.MINUTES);
                List<ClaimAnswer> twos = new ArrayList<>(second.get(1, TimeUnit.MINUTES));
                Collections.reverse(twos);
                for (int i = 0; i < ones.size(); i++) {
                    assertThat(List.of(ones.get(i), twos.get(i)))
                            .as(forwards.get(i).identity().key().value())
                            .hasAtLeastOneElementOfType(ClaimAnswer.Granted.class)
                            .hasAtLeastOneElementOfType(ClaimAnswer.Busy.class);
                }
            }
        }
        assertThat(deadlocks()).isZero();
    }

    /** At once: after a second, a statement that waits gives up by itself. */
    private void noticeDeadlocks() throws SQLException {
        PostgresServer.execute(
                uri, "ALTER DATABASE " + parsed().server().database() + " SET deadlock_timeout = '10ms'");
    }

    /** In this test's database, when all stores are closed: a session counts them at the latest when it ends. */
    private long deadlocks() throws SQLException {
        Awaitility.await().until(() -> number("SELECT count(*)" + OF_STORES) == 0);
        return number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }

    private static List<ClaimAnswer> claimAll(PostgresStore store, List<ClaimRequest> requests, CyclicBarrier together)
            throws Exception {
        together.await(1, TimeUnit.MINUTES);
        List<CompletableFuture<ClaimAnswer>> calls = new ArrayList<>();
        for (ClaimRequest request : requests) {
            calls.add(store.claim(request).toCompletableFuture());
        }
        return calls.stream().map(call -> settled(call).join()).toList();
    }

    @Test
    void two_processes_that_settle_the_same_leases_and_claim_each_others_keys_never_wait_for_each_other_in_a_circle()
            throws Exception {
        noticeDeadlocks();
        open().close();
        try (HikariDataSource pool = PostgresPool.open(parsed().server());
                HikariDataSource otherPool = PostgresPool.open(parsed().server())) {
            PostgresStatements one = new PostgresStatements(pool, null);
            PostgresStatements two = new PostgresStatements(otherPool, null);
            CyclicBarrier together = new CyclicBarrier(2);
            for (int round = 0; round < 40; round++) {
                List<Lease> leases = OnePostgresBatch.claim(
                                new PostgresFlushes(one, TombstoneTable.ABSENT, new SeenKeys()),
                                requests("round-" + round + "-", 300))
                        .stream()
                        .map(answer -> ((ClaimAnswer.Granted) answer).lease())
                        .toList();
                List<PostgresCall<?, ?>> forwards = settlements(leases.subList(0, 200));
                List<PostgresCall<?, ?>> backwards = settlements(leases.subList(100, 300));
                // In every other round no claim waits, so that the settlements meet.
                boolean crossed = round % 2 == 0;
                forwards.addAll(
                        crossed
                                ? claims(leases.subList(200, 300))
                                : OnePostgresBatch.claims(requests("one-" + round + "-", 10)));
                backwards.addAll(
                        crossed
                                ? claims(leases.subList(0, 100))
                                : OnePostgresBatch.claims(requests("two-" + round + "-", 10)));
                Collections.reverse(backwards);
                Future<List<Object>> first = threads.submit(() -> writeAll(one, forwards, together));
                Future<List<Object>> second = threads.submit(() -> writeAll(two, backwards, together));
                List<Object> answers = new ArrayList<>(first.get(1, TimeUnit.MINUTES));
                answers.addAll(second.get(1, TimeUnit.MINUTES));
                assertThat(answers)
                        .filteredOn(new SettleAnswer.Settled(State.IN_PROGRESS)::equals)
                        .as("each lease is settled once")
                        .hasSameSizeAs(leases);
            }
        }
        assertThat(deadlocks()).isZero();
    }

    private static List<PostgresCall<?, ?>> settlements(List<Lease> leases) {
        List<PostgresCall<?, ?>> settlements = new ArrayList<>();
        leases.forEach(
                lease -> settlements.add(new PostgresCall.Settle(new Settling(lease, completed("done"), RETENTION))));
        return settlements;
    }

    private static List<PostgresCall.Claim> claims(List<Lease> leases) {
        return OnePostgresBatch.claims(
                leases.stream().map(lease -> request(lease.identity())).toList());
    }

    private static List<Object> writeAll(
            PostgresStatements statements, List<PostgresCall<?, ?>> calls, CyclicBarrier together) throws Exception {
        together.await(1, TimeUnit.MINUTES);
        OneBatch.flush(new PostgresFlushes(statements, TombstoneTable.ABSENT, new SeenKeys())::write, calls);
        return calls.stream().<Object>map(BatchCall::answer).toList();
    }

    @Test
    void a_claim_that_meets_an_open_transaction_of_the_application_is_busy_and_its_batch_is_granted()
            throws SQLException {
        try (PostgresStore store = open();
                HikariDataSource pool = parsed().dataSource();
                Connection application = pool.getConnection()) {
            application.setAutoCommit(false);
            ((TransactionalStore) store)
                    .within(application, Duration.ofSeconds(1))
                    .claim(request("k7"));
            PostgresFlushes flushes =
                    new PostgresFlushes(new PostgresStatements(pool, null), TombstoneTable.ABSENT, new SeenKeys());
            List<ClaimAnswer> answers = OnePostgresBatch.claim(flushes, requests("k", 20));
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i)).isInstanceOf(i == 7 ? ClaimAnswer.Busy.class : ClaimAnswer.Granted.class);
            }
            application.rollback();
            assertThat(await(store.claim(request("k7")))).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    @DisplayName("I2: fences of a key rise while records are deleted as fast as they expire")
    void fences_rise_while_pruning_goes_on_at_full_speed() throws Exception {
        try (PostgresStore store = open();
                PostgresStore pruning = open()) {
            AtomicBoolean done = new AtomicBoolean();
            Future<Integer> pruned = threads.submit(() -> {
                int all = 0;
                while (!done.get()) {
                    all += pruning.prune(100, Expiry.DELETE);
                }
                return all;
            });
            List<Future<Void>> claiming = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                Random random = new Random(caller);
                claiming.add(threads.submit(() -> {
                    claimAndSettle(store, random);
                    return null;
                }));
            }
            for (Future<Void> each : claiming) {
                each.get(2, TimeUnit.MINUTES);
            }
            done.set(true);
            assertThat(pruned.get(1, TimeUnit.MINUTES))
                    .as("records that were deleted")
                    .isPositive();
        }
    }

    /** Few keys, which live for a moment. Each granted claim has the highest fence of its key so far. */
    private void claimAndSettle(PostgresStore store, Random random) {
        for (int i = 0; i < 150; i++) {
            int key = random.nextInt(fences.length());
            if (await(store.claim(request("k" + key))) instanceof ClaimAnswer.Granted granted) {
                long fence = granted.lease().fence();
                assertThat(fences.getAndUpdate(key, last -> Math.max(last, fence)))
                        .as("the fence before %s of key %s", fence, key)
                        .isLessThan(fence);
                await(store.settle(granted.lease(), completed("done"), Duration.ofMillis(1)));
            }
        }
    }

    @Test
    @DisplayName("one caller who is interrupted while all connections are in use does not fail those who wait with it")
    void an_interrupted_caller_fails_alone() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:" + uri.replace("postgres@", ""));
        config.setUsername("postgres");
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(60_000);
        try (HikariDataSource tiny = new HikariDataSource(config);
                PostgresStore store = new PostgresStore(tiny, new PostgresOptions(SchemaMode.CREATE, false, 1))) {
            CompletableFuture<ClaimAnswer> waiting;
            Future<?> interrupted;
            try (Connection held = tiny.getConnection()) {
                assertThat(held.isValid(1)).isTrue();
                interrupted = threads.submit(() -> await(store.claim(request("k1"))));
                Awaitility.await().until(() -> tiny.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                waiting = store.claim(request("k2")).toCompletableFuture();
                interrupted.cancel(true);
                Awaitility.await().during(Duration.ofMillis(100)).until(() -> !waiting.isDone());
            }
            assertThat(settled(waiting).join()).isInstanceOf(ClaimAnswer.Granted.class);
        }
    }

    @Test
    void when_the_server_has_stopped_all_waiting_calls_fail_together_and_not_batch_by_batch() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = new HikariDataSource(shortOf(server))) {
            PostgresStore store = new PostgresStore(Connections.eachAskedOf(pool, asked::incrementAndGet));
            await(store.claim(request("warm-up")));
            server.stop();
            asked.set(0);
            List<CompletableFuture<ClaimAnswer>> calls = new ArrayList<>();
            for (ClaimRequest request : requests("k", 15_000)) {
                calls.add(store.claim(request).toCompletableFuture());
            }
            for (CompletableFuture<ClaimAnswer> call : calls) {
                assertThat(faultOf(settled(call))).isInstanceOf(StoreException.class);
            }
            assertThat(asked.get()).as("for 30 batches").isLessThan(12);
        }
    }

    private static HikariConfig shortOf(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.jdbcUrl(server.uri()));
        config.setUsername("postgres");
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(2_000);
        return config;
    }
}
