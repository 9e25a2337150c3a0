package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.OTHER_FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.Uris;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.testsupport.servers.MariadbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("MariaDB: claims in transactions of the application's")
@Timeout(120)
class MysqlTransactionTest {

    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final String LOCK_WAIT = "SELECT @@SESSION.innodb_lock_wait_timeout";

    private String uri;
    private MysqlStore store;
    private HikariDataSource application;

    @BeforeEach
    void open() throws SQLException {
        uri = MariadbServer.shared().newDatabase();
        store = (MysqlStore) Stores.open(uri);
        application = Uris.mysql(uri).dataSource();
        MariadbServer.execute(uri, "CREATE TABLE orders (name VARCHAR(50) PRIMARY KEY)");
    }

    @AfterEach
    void close() {
        application.close();
        store.close();
    }

    private Connection begin(int isolation) throws SQLException {
        Connection connection = application.getConnection();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection begin() throws SQLException {
        return begin(Connection.TRANSACTION_READ_COMMITTED);
    }

    private static Lease leaseOf(ClaimAnswer answer) {
        return ((ClaimAnswer.Granted) answer).lease();
    }

    @Test
    void the_sessions_patience_with_locks_is_put_back_whatever_the_answer() throws SQLException {
        Lease done = leaseOf(await(store.claim(request("done"))));
        await(store.settle(done, completed("done"), RETENTION));
        await(store.claim(request("running")));
        Lease lost = leaseOf(await(store.claim(request("unknown"))));
        await(store.settle(lost, unknown(), RETENTION));
        try (Connection connection = begin();
                Connection other = begin()) {
            MariadbServer.execute(connection, "SET SESSION innodb_lock_wait_timeout = 7");
            store.within(other, PATIENT).claim(request("taken"));
            StoreTransaction transaction = store.within(connection, Duration.ZERO);
            assertThat(transaction.claim(request("done"))).isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(transaction.claim(request("running"))).isInstanceOf(ClaimAnswer.Busy.class);
            assertThat(transaction.claim(request("unknown"))).isInstanceOf(ClaimAnswer.Unknown.class);
            assertThat(transaction.claim(request("done").withFingerprint(OTHER_FINGERPRINT)))
                    .isInstanceOf(ClaimAnswer.Mismatch.class);
            assertThat(MariadbServer.text(connection, LOCK_WAIT)).isEqualTo("7");
            assertThat(transaction.claim(request("taken"))).isEqualTo(new ClaimAnswer.Busy(Duration.ZERO));
            assertThat(MariadbServer.text(connection, LOCK_WAIT)).isEqualTo("7");
            assertThat(transaction.claim(request("new"))).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(MariadbServer.text(connection, LOCK_WAIT)).isEqualTo("7");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void a_transaction_that_read_before_others_wrote_still_decides_on_what_is_there(int isolation) throws SQLException {
        try (Connection strict = begin(isolation)) {
            MariadbServer.text(strict, "SELECT COUNT(*) FROM orders");
            Lease lease = leaseOf(await(store.claim(request("k"))));
            await(store.settle(lease, completed("done"), RETENTION));
            assertThat(store.within(strict, PATIENT).claim(request("k")))
                    .isInstanceOfSatisfying(
                            ClaimAnswer.Recorded.class,
                            recorded -> assertThat(recorded.record().response()).isEqualTo(response("done")));
        }
    }

    @Test
    void with_snapshot_isolation_the_error_says_to_run_the_transaction_again() throws SQLException {
        try (Connection strict = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            MariadbServer.execute(strict, "SET SESSION innodb_snapshot_isolation = 1");
            MariadbServer.text(strict, "SELECT COUNT(*) FROM semel_record");
            await(store.claim(request("k")));
            assertThatThrownBy(() -> store.within(strict, PATIENT).claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("run the whole transaction again");
        }
    }

    @Test
    void a_deadlock_that_the_application_causes_is_reported_as_one() throws Exception {
        MariadbServer.execute(uri, "INSERT INTO orders VALUES ('one'), ('two')");
        try (Connection first = begin();
                Connection second = begin()) {
            StoreTransaction transaction = store.within(first, PATIENT);
            Lease lease = leaseOf(transaction.claim(request("k")));
            MariadbServer.execute(first, "SELECT * FROM orders WHERE name = 'one' FOR UPDATE");
            MariadbServer.execute(second, "SELECT * FROM orders WHERE name = 'two' FOR UPDATE");
            for (int i = 0; i < 20; i++) {
                MariadbServer.execute(second, "INSERT INTO orders VALUES ('more work " + i + "')");
            }
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                try {
                    MariadbServer.execute(second, "SELECT * FROM orders WHERE name = 'one' FOR UPDATE");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            MariadbServer.awaitBlockedStatement(uri);
            assertThatThrownBy(() -> MariadbServer.execute(first, "SELECT * FROM orders WHERE name = 'two' FOR UPDATE"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("Deadlock");
            waiting.get(1, TimeUnit.MINUTES);
            assertThat(transaction.settle(lease, completed("done"), RETENTION))
                    .as("the server has undone the claim, too")
                    .isInstanceOf(SettleAnswer.Refused.class);
            assertThatThrownBy(transaction::undoWork)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("has ended since the claim");
        }
        assertThat(await(store.find(id("k")))).isEmpty();
    }

    @Test
    void a_settlement_whose_claim_the_application_has_rolled_back_is_refused() throws SQLException {
        try (Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            MariadbServer.execute(connection, "SAVEPOINT mine");
            StoreTransaction transaction = store.within(connection, PATIENT);
            Lease lease = leaseOf(transaction.claim(request("k")));
            MariadbServer.execute(connection, "ROLLBACK TO SAVEPOINT mine");
            assertThat(transaction.settle(lease, completed("done"), RETENTION))
                    .isInstanceOfSatisfying(
                            SettleAnswer.Refused.class,
                            refused -> assertThat(refused.current()).isEmpty());
        }
    }

    @Test
    void a_granted_claim_is_not_followed_by_another_one_and_a_negative_wait_is_refused() throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = store.within(connection, PATIENT);
            transaction.claim(request("k"));
            assertThatThrownBy(() -> transaction.claim(request("other"))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> store.within(connection, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void the_error_in_a_read_only_transaction_says_so() throws SQLException {
        try (Connection connection = application.getConnection()) {
            connection.setAutoCommit(false);
            MariadbServer.execute(connection, "START TRANSACTION READ ONLY");
            assertThatThrownBy(() -> store.within(connection, PATIENT).claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("read-only");
        }
    }

    @Test
    @DisplayName("I2: a claim that waited while a later one was granted and deleted gets the higher fence")
    void a_claim_that_waited_while_a_later_one_came_and_went_gets_the_higher_fence() throws Exception {
        try (Connection other = begin()) {
            StoreTransaction transaction = store.within(other, PATIENT);
            Lease lease = leaseOf(transaction.claim(request("k")));
            CompletableFuture<ClaimAnswer> waiting =
                    CompletableFuture.supplyAsync(() -> await(store.claim(request("k"))));
            MariadbServer.awaitBlockedStatement(uri);
            transaction.settle(lease, completed("done"), Duration.ZERO);
            other.commit();
            long fence = leaseOf(waiting.get(1, TimeUnit.MINUTES)).fence();
            assertThat(fence).isGreaterThan(lease.fence());
        }
    }

    @Test
    void numbers_of_the_audit_that_went_back_grant_nothing() throws SQLException {
        Lease lease = leaseOf(await(store.claim(request("k"))));
        await(store.settle(lease, new Outcome.NotExecuted("declined"), RETENTION));
        MariadbServer.execute(uri, "TRUNCATE TABLE semel_audit");
        assertThatThrownBy(() -> await(store.claim(request("k"))))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("numbers of semel_audit have gone back");
        assertThat(await(store.find(id("k"))).orElseThrow().state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(store.prune(10, Expiry.DELETE)).isZero();
    }
}
