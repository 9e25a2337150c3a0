package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.HOLD;
import static dev.semel.testkit.contract.StoreVerbs.OPERATION;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.Connections;
import dev.semel.jdbc.testing.Uris;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testsupport.servers.MariadbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("MariaDB: whatever works on the same keys, no two transactions wait for each other")
@Timeout(120)
class MysqlDeadlockTest {

    private static final String DEADLOCKS =
            "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'INNODB_DEADLOCKS'";

    private static final int THREADS = 8;
    private static final int ROUNDS = 40;
    private static final int KEYS = 24;
    private static final int AT_ONCE = 12;

    @ParameterizedTest
    @ValueSource(strings = {"READ-COMMITTED", "REPEATABLE-READ"})
    void of_the_stores_own(String isolation) throws Exception {
        String uri = MariadbServer.shared().newDatabase();
        long seed = new Random().nextLong();
        try (HikariDataSource pool = Uris.mysql(uri + "?poolSize=12").dataSource()) {
            DataSource sessions = Connections.eachOf(
                    pool,
                    connection -> MariadbServer.execute(
                            connection, "SET SESSION transaction_isolation = '" + isolation + "'"));
            try (MysqlStore one = new MysqlStore(sessions);
                    MysqlStore two = new MysqlStore(sessions)) {
                long before = Long.parseLong(MariadbServer.text(uri, DEADLOCKS));
                run(thread -> {
                    Random random = new Random(seed + thread);
                    for (int round = 0; round < ROUNDS; round++) {
                        work(thread % 2 == 0 ? one : two, random);
                    }
                });
                assertThat(Long.parseLong(MariadbServer.text(uri, DEADLOCKS)) - before)
                        .as("deadlocks, seed %s", seed)
                        .isZero();
            }
        }
        assertThat(MariadbServer.text(uri, "SELECT COUNT(*) FROM semel_record WHERE fence = 0"))
                .as("places that were held and never became records")
                .isEqualTo("0");
    }

    /** Claims some keys in any order, and then uses each lease at random, all at once. */
    private static void work(MysqlStore store, Random random) {
        List<CompletionStage<ClaimAnswer>> claims = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            String key = "key-" + random.nextInt(KEYS);
            ClaimRequest request = random.nextBoolean() ? request(key) : reexecutable(key);
            claims.add(store.claim(new ClaimRequest(
                    request.identity(),
                    request.operation(),
                    request.fingerprint(),
                    random.nextInt(4) == 0 ? Duration.ZERO : Duration.ofMinutes(1),
                    request.reexecutable(),
                    request.holder())));
        }
        List<CompletionStage<?>> rest = new ArrayList<>();
        for (CompletionStage<ClaimAnswer> claim : claims) {
            if (await(claim) instanceof ClaimAnswer.Granted granted) {
                rest.add(next(store, granted.lease(), random));
            }
        }
        switch (random.nextInt(5)) {
            case 0 -> store.sweep(10);
            case 1 -> store.due(OPERATION, 10, HOLD);
            case 2 -> store.prune(10, Expiry.MARK);
            case 3 -> store.prune(10, Expiry.DELETE);
            default -> {}
        }
        rest.forEach(stage -> await(stage));
    }

    private static CompletionStage<?> next(MysqlStore store, Lease lease, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> store.settle(lease, completed("done"), Duration.ZERO);
            case 1 -> store.settle(lease, notExecuted(), RETENTION);
            case 2 -> store.settle(lease, unknown(), RETENTION);
            case 3 -> store.renew(lease, Duration.ofMinutes(1));
            case 4 -> store.step(lease, "step", response("step"));
            default -> store.settle(lease, completed("done"), Duration.ZERO);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void of_the_applications(int isolation) throws Exception {
        String uri = MariadbServer.shared().newDatabase();
        long seed = new Random().nextLong();
        try (MysqlStore store = (MysqlStore) Stores.open(uri);
                HikariDataSource pool = Uris.mysql(uri + "?poolSize=12").dataSource()) {
            long before = Long.parseLong(MariadbServer.text(uri, DEADLOCKS));
            run(thread -> {
                Random random = new Random(seed + thread);
                for (int round = 0; round < ROUNDS; round++) {
                    claimSeveral(store, pool, isolation, random);
                }
            });
            assertThat(Long.parseLong(MariadbServer.text(uri, DEADLOCKS)) - before)
                    .as("deadlocks, seed %s", seed)
                    .isZero();
        }
    }

    /** Several keys in any order in one transaction, which invites deadlocks: a key that is locked is busy. */
    private static void claimSeveral(MysqlStore store, DataSource pool, int isolation, Random random)
            throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            for (int i = 0; i < 4; i++) {
                var transaction = store.within(connection, Duration.ofMillis(5));
                if (transaction.claim(request("key-" + random.nextInt(KEYS))) instanceof ClaimAnswer.Granted granted) {
                    if (random.nextInt(4) == 0) {
                        transaction.undoClaim();
                    } else {
                        transaction.settle(granted.lease(), completed("done"), Duration.ZERO);
                    }
                }
            }
            if (random.nextBoolean()) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    /** What a thread does. */
    private interface Task {
        void run(int thread) throws Exception;
    }

    private static void run(Task task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                done.add(threads.submit(() -> {
                    task.run(number);
                    return null;
                }));
            }
            for (Future<?> each : done) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
