package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.testing.ChildProcess;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: the effect and its record commit together, among many callers and under kill -9")
@Timeout(120)
class SqliteTogetherTest {

    private static final int CALLERS = 20;

    @TempDir
    Path directory;

    private Path file;
    private SqliteStore store;
    private DataSource dataSource;
    private SemelEngine semel;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void open() throws SQLException {
        file = directory.resolve("semel.db");
        store = SqliteStore.open(file);
        semel = SemelEngine.on(store).build();
        dataSource = SqliteStore.dataSource(file);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            // No primary key: a second payment of a key has to show.
            statement.executeUpdate("CREATE TABLE payment (id TEXT NOT NULL)");
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        semel.close();
    }

    private List<String> payments() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM payment")) {
            while (rows.next()) {
                ids.add(rows.getString("id"));
            }
        }
        return ids;
    }

    @Test
    void duplicates_queue_behind_a_running_transaction_and_replay_what_it_has_recorded() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Future<String>> answers = new ArrayList<>();
        answers.add(threads.submit(() -> PayingProcess.pay(semel, dataSource, "k", (connection, attempt) -> {
            PayingProcess.insert(connection, "k");
            inside.countDown();
            return String.valueOf(goOn.await(1, TimeUnit.MINUTES));
        })));
        assertThat(inside.await(1, TimeUnit.MINUTES)).isTrue();
        Set<Thread> duplicates = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 3; i++) {
            answers.add(threads.submit(() -> {
                duplicates.add(Thread.currentThread());
                return PayingProcess.payOnce(semel, dataSource, "k");
            }));
        }
        await("all wait for the lock").until(() -> {
            return duplicates.size() == 3 && duplicates.stream().allMatch(SqliteTogetherTest::waitsForTheLock);
        });
        goOn.countDown();
        for (Future<String> answer : answers) {
            assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("true");
        }
        assertThat(payments()).containsExactly("k");
    }

    private static boolean waitsForTheLock(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(SqliteTransaction.class.getName())
                        && frame.getMethodName().equals("lock"));
    }

    @Test
    void twenty_duplicates_that_share_one_connection_do_not_deadlock() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(60_000);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThat(answersOfAll(pool)).hasSize(CALLERS).containsOnly("k");
        }
        assertThat(payments()).containsExactly("k");
    }

    @Test
    void twenty_duplicates_with_a_connection_each_have_one_effect() throws Exception {
        assertThat(answersOfAll(dataSource)).hasSize(CALLERS).containsOnly("k");
        assertThat(payments()).containsExactly("k");
    }

    private List<String> answersOfAll(DataSource connections) throws Exception {
        CyclicBarrier together = new CyclicBarrier(CALLERS);
        Callable<String> paying = () -> {
            together.await(1, TimeUnit.MINUTES);
            return PayingProcess.payOnce(semel, connections, "k");
        };
        List<Future<String>> running = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            running.add(threads.submit(paying));
        }
        List<String> answers = new ArrayList<>();
        for (Future<String> each : running) {
            answers.add(each.get(1, TimeUnit.MINUTES));
        }
        return answers;
    }

    @Test
    void a_process_that_is_killed_inside_its_transaction_has_done_nothing() throws Exception {
        try (ChildProcess killed = ChildProcess.start(PayingProcess.class, file.toString(), "key-2")) {
            killed.go();
            assertThat(killed.readUntil("inside")).containsExactly("key-0", "key-1");
            killed.kill();
        }
        assertThat(payments()).containsExactly("key-0", "key-1");
        assertThat(await(store.find(id("key-2")))).isEmpty();
        assertThat(store.history(id("key-2"))).isEmpty();
        assertThat(PayingProcess.payOnce(semel, dataSource, "key-2")).isEqualTo("key-2");
    }

    @Test
    void whenever_a_process_is_killed_each_payment_has_its_record_and_each_record_its_payment() throws Exception {
        Set<String> confirmed = new TreeSet<>();
        for (int round = 1; round <= 3; round++) {
            confirmed.addAll(confirmedBeforeKilledAt("key-" + 30 * round));
            List<String> paid = payments();
            assertThat(paid).doesNotHaveDuplicates().containsAll(confirmed);
            assertThat(completedKeys()).containsExactlyInAnyOrderElementsOf(paid);
            for (String key : paid) {
                assertThat(await(store.find(id(key))).orElseThrow().state()).isEqualTo(State.COMPLETED);
                assertThat(store.history(id(key)))
                        .extracting(AuditEntry::change)
                        .containsExactly(Change.GRANTED, Change.SETTLED);
            }
        }
    }

    /** Kills a process that pays, some time after it has confirmed this key. */
    private List<String> confirmedBeforeKilledAt(String key) throws IOException, InterruptedException {
        try (ChildProcess killed = ChildProcess.start(PayingProcess.class, file.toString(), "nowhere")) {
            killed.go();
            List<String> confirmed = killed.readUntil(key);
            killed.kill();
            return confirmed;
        }
    }

    private List<String> completedKeys() throws SQLException {
        List<String> keys = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT key FROM semel_record")) {
            while (rows.next()) {
                keys.add(rows.getString("key"));
            }
        }
        return keys;
    }
}
