package dev.semel.jdbc.sqlite;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.testing.Connections;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("SQLite: one commit serves all writes that wait")
@Timeout(120)
class SqliteGroupCommitTest {

    private static final int CALLS = 100;

    /** What was executed by its text; statements of verbs are prepared and not here. */
    private final List<String> executed = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path directory;

    private DataSource connections;
    private SqliteStore store;

    @BeforeEach
    void open() {
        connections = SqliteStore.dataSource(directory.resolve("semel.db"));
        store = new SqliteStore(listening(DataSource.class, connections), SqliteOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private <T> T listening(Class<T> type, T inner) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute") && arguments != null && arguments[0] instanceof String sql) {
                executed.add(sql);
            }
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (result instanceof Connection connection) {
                return listening(Connection.class, connection);
            }
            return method.getName().equals("createStatement") ? listening(Statement.class, (Statement) result) : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private long times(String sql) {
        return List.copyOf(executed).stream().filter(sql::equals).count();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Submits these while one write waits for the lock of another connection. */
    private <T> List<CompletableFuture<T>> together(List<Supplier<CompletionStage<T>>> writes) throws SQLException {
        List<CompletableFuture<T>> calls = new ArrayList<>();
        try (Connection other = connections.getConnection();
                Statement lock = other.createStatement()) {
            lock.executeUpdate("BEGIN IMMEDIATE");
            executed.clear();
            CompletionStage<ClaimAnswer> first =
                    store.claim(request(UUID.randomUUID().toString()));
            Awaitility.await().until(() -> times("BEGIN IMMEDIATE") == 1);
            for (Supplier<CompletionStage<T>> write : writes) {
                calls.add(write.get().toCompletableFuture());
            }
            lock.executeUpdate("COMMIT");
            first.toCompletableFuture().join();
        }
        calls.forEach(call -> call.handle((answer, fault) -> fault)
                .orTimeout(1, TimeUnit.MINUTES)
                .join());
        return calls;
    }

    private List<Supplier<CompletionStage<ClaimAnswer>>> claims(int number) {
        List<Supplier<CompletionStage<ClaimAnswer>>> claims = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String key = "k" + i;
            claims.add(() -> store.claim(request(key)));
        }
        return claims;
    }

    private List<Lease> leases(int number) throws SQLException {
        return together(claims(number)).stream()
                .map(call -> ((ClaimAnswer.Granted) call.join()).lease())
                .toList();
    }

    private static Throwable faultOf(CompletableFuture<?> call) {
        return call.handle((answer, fault) -> fault instanceof CompletionException ? fault.getCause() : fault)
                .join();
    }

    @Test
    void a_hundred_writes_that_wait_are_one_transaction() throws SQLException {
        List<Lease> leases = leases(CALLS);
        assertThat(times("BEGIN IMMEDIATE")).isEqualTo(2);
        assertThat(times("COMMIT")).isEqualTo(2);
        assertThat(leases).extracting(Lease::fence).doesNotHaveDuplicates();
        for (int i = 0; i < CALLS; i++) {
            assertThat(leases.get(i).identity()).isEqualTo(id("k" + i));
            assertThat(await(store.find(id("k" + i))).orElseThrow().lease()).isEqualTo(leases.get(i));
        }
    }

    @Test
    void of_two_claims_of_a_key_in_one_transaction_one_is_granted() throws SQLException {
        List<Supplier<CompletionStage<ClaimAnswer>>> claims = claims(10);
        claims.addAll(claims(10));
        List<CompletableFuture<ClaimAnswer>> calls = together(claims);
        assertThat(times("BEGIN IMMEDIATE")).isEqualTo(2);
        for (int i = 0; i < 10; i++) {
            assertThat(calls.get(i).join()).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(calls.get(i + 10).join()).isInstanceOf(ClaimAnswer.Busy.class);
        }
    }

    @Test
    void a_write_that_breaks_a_rule_of_the_tables_fails_alone() throws SQLException {
        execute("CREATE TRIGGER object BEFORE INSERT ON semel_record WHEN NEW.key = 'k7'"
                + " BEGIN SELECT RAISE(ABORT, 'not this one'); END");
        assertOneFails(7, together(claims(CALLS)));
        assertThat(await(store.find(id("k7")))).isEmpty();
        assertThat(store.history(id("k7"))).isEmpty();
    }

    @Test
    @DisplayName("a write that cannot be carried out at all fails alone")
    void an_impossible_duration_fails_alone() throws SQLException {
        List<Lease> leases = leases(CALLS);
        List<Supplier<CompletionStage<SettleAnswer>>> settlements = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            Lease lease = leases.get(i);
            Duration retention = i == 7 ? Duration.ofSeconds(Long.MAX_VALUE) : RETENTION;
            settlements.add(() -> store.settle(lease, completed("done"), retention));
        }
        assertOneFails(7, together(settlements));
        assertThat(await(store.find(id("k7"))).orElseThrow().state()).isEqualTo(State.IN_PROGRESS);
    }

    private static <T> void assertOneFails(int bad, List<CompletableFuture<T>> calls) {
        for (int i = 0; i < calls.size(); i++) {
            if (i == bad) {
                assertThat(calls.get(i)).isCompletedExceptionally();
            } else {
                assertThat(calls.get(i)).isCompleted();
            }
        }
    }

    @Test
    void a_transaction_on_a_full_disk_fails_every_call_and_leaves_nothing_half_written() throws SQLException {
        List<Lease> leases = leases(30);
        store.close();
        store = new SqliteStore(
                Connections.eachOf(listening(DataSource.class, connections), SqliteGroupCommitTest::leaveLittleRoom),
                SqliteOptions.DEFAULT);
        Outcome large = new Outcome.Completed(Response.of(new byte[100_000]));
        List<Supplier<CompletionStage<SettleAnswer>>> settlements = new ArrayList<>();
        for (Lease lease : leases) {
            settlements.add(() -> store.settle(lease, large, RETENTION));
        }
        for (CompletableFuture<SettleAnswer> call : together(settlements)) {
            assertThat(faultOf(call)).isInstanceOf(StoreException.class).hasMessageContaining("the disk is full");
        }
        for (Lease lease : leases) {
            assertThat(await(store.find(lease.identity())).orElseThrow().state())
                    .isEqualTo(State.IN_PROGRESS);
            assertThat(store.history(lease.identity())).hasSize(1);
        }
        assertThat(await(store.settle(leases.get(0), completed("small"), RETENTION)))
                .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
    }

    /** Enough for a few small records, and for none of the large ones. */
    private static void leaveLittleRoom(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int pages;
            try (ResultSet row = statement.executeQuery("PRAGMA page_count")) {
                row.next();
                pages = row.getInt(1);
            }
            statement.execute("PRAGMA max_page_count = " + (pages + 50));
        }
    }
}
