package dev.semel.jdbc.postgresql;

import static dev.semel.jdbc.postgresql.OrdersDatabase.PATIENT;
import static dev.semel.jdbc.postgresql.OrdersDatabase.execute;
import static dev.semel.jdbc.postgresql.OrdersDatabase.order;
import static dev.semel.jdbc.postgresql.OrdersDatabase.text;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.OrdersDatabase.Granted;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.PostgresServer;
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

@DisplayName("PostgreSQL: transactions that claim the same key")
@Timeout(120)
class PostgresTransactionWaitTest {

    private OrdersDatabase database;

    @BeforeEach
    void open() throws SQLException {
        database = new OrdersDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private PostgresStore store() {
        return database.store();
    }

    private CompletableFuture<ClaimAnswer> claimInBackground(Connection connection, String key) {
        return CompletableFuture.supplyAsync(
                () -> store().within(connection, PATIENT).claim(request(key)));
    }

    private static void complete(Granted granted) {
        granted.transaction().settle(granted.answer().lease(), completed("done"), RETENTION);
    }

    @Test
    void a_duplicate_queues_behind_the_running_transaction_and_then_replays() throws SQLException {
        try (Connection first = database.begin();
                Connection second = database.begin()) {
            Granted granted = database.granted(first, "k");
            CompletableFuture<ClaimAnswer> waiting = claimInBackground(second, "k");
            PostgresServer.awaitBlockedStatement(database.uri());
            complete(granted);
            first.commit();
            assertThat(waiting.join())
                    .isInstanceOfSatisfying(
                            ClaimAnswer.Recorded.class,
                            recorded -> assertThat(recorded.record().response()).isEqualTo(response("done")));
        }
    }

    @Test
    void a_duplicate_without_a_transaction_queues_behind_the_running_one_too() throws SQLException {
        try (Connection first = database.begin()) {
            Granted granted = database.granted(first, "k");
            CompletableFuture<ClaimAnswer> waiting =
                    CompletableFuture.supplyAsync(() -> await(store().claim(request("k"))));
            PostgresServer.awaitBlockedStatement(database.uri());
            complete(granted);
            first.commit();
            assertThat(waiting.join()).isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }

    @Test
    void a_duplicate_that_queued_behind_a_transaction_that_rolled_back_is_granted() throws SQLException {
        try (Connection first = database.begin();
                Connection second = database.begin()) {
            Granted granted = database.granted(first, "k");
            CompletableFuture<ClaimAnswer> waiting = claimInBackground(second, "k");
            PostgresServer.awaitBlockedStatement(database.uri());
            first.rollback();
            assertThat(waiting.join())
                    .isInstanceOfSatisfying(
                            ClaimAnswer.Granted.class,
                            next -> assertThat(next.lease().fence())
                                    .isGreaterThan(granted.answer().lease().fence()));
        }
    }

    @Test
    void a_duplicate_that_may_not_wait_is_refused_at_once_and_its_own_work_survives() throws SQLException {
        try (Connection second = database.begin();
                Connection first = database.begin()) {
            Granted granted = database.granted(first, "k");
            order(first, "first");
            order(second, "second");
            execute(second, "SET LOCAL lock_timeout = '5s'");
            // On a thread of its own, so that a claim which waits for ever fails the test instead of stopping it.
            CompletableFuture<ClaimAnswer> answer = CompletableFuture.supplyAsync(
                    () -> store().within(second, Duration.ZERO).claim(request("k")));
            assertThat(answer.orTimeout(1, TimeUnit.MINUTES).join()).isInstanceOf(ClaimAnswer.Busy.class);
            assertThat(text(second, "SHOW lock_timeout")).isEqualTo("5s");
            order(second, "third");
            second.commit();
            complete(granted);
            first.commit();
        }
        assertThat(database.orders()).isEqualTo("first second third");
        assertThat(await(store().find(id("k"))).orElseThrow().state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void of_two_transactions_that_wait_for_each_other_one_is_refused() throws SQLException {
        try (Connection first = database.begin();
                Connection second = database.begin()) {
            Granted one = database.granted(first, "one");
            Granted two = database.granted(second, "two");
            CompletableFuture<ClaimAnswer> firstAnswer = claimInBackground(first, "two");
            PostgresServer.awaitBlockedStatement(database.uri());
            CompletableFuture<ClaimAnswer> secondAnswer = claimInBackground(second, "one");
            CompletableFuture.anyOf(firstAnswer, secondAnswer).join();
            boolean firstRefused = firstAnswer.isDone();
            assertThat((firstRefused ? firstAnswer : secondAnswer).join()).isInstanceOf(ClaimAnswer.Busy.class);
            complete(firstRefused ? one : two);
            (firstRefused ? first : second).commit();
            assertThat((firstRefused ? secondAnswer : firstAnswer).join()).isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }

    @Test
    void a_claim_that_waited_in_vain_keeps_no_lock_on_the_record() throws SQLException {
        Lease lease = ((ClaimAnswer.Granted) await(store().claim(request("k")))).lease();
        PostgresServer.execute(database.uri(), "UPDATE semel_record SET locked_until = clock_timestamp()");
        try (Connection heartbeat = database.begin();
                Connection waiting = database.begin()) {
            execute(heartbeat, "UPDATE semel_record SET locked_until = clock_timestamp() + interval '1 hour'");
            CompletableFuture<ClaimAnswer> answer = claimInBackground(waiting, "k");
            PostgresServer.awaitBlockedStatement(database.uri());
            heartbeat.commit();
            assertThat(answer.join()).isInstanceOf(ClaimAnswer.Busy.class);
            assertThat(await(store().settle(lease, completed("done"), RETENTION)))
                    .isInstanceOf(SettleAnswer.Settled.class);
        }
    }

    @Test
    void a_claim_that_waited_while_a_later_one_came_and_went_gets_the_higher_fence() throws SQLException {
        try (Connection other = database.begin();
                Connection waiting = database.begin()) {
            Granted granted = database.granted(other, "k");
            order(waiting, "mine");
            CompletableFuture<ClaimAnswer> answer = claimInBackground(waiting, "k");
            PostgresServer.awaitBlockedStatement(database.uri());
            execute(
                    other,
                    "UPDATE semel_record SET fence = nextval('semel_fence'), state = 'completed', response = '',"
                            + " locked_until = NULL, expires_at = clock_timestamp()");
            String higher = text(other, "SELECT fence FROM semel_record");
            PostgresQuery.prune(10, Expiry.DELETE, TombstoneTable.ABSENT).on(other);
            other.commit();
            assertThat(answer.join())
                    .isInstanceOfSatisfying(
                            ClaimAnswer.Granted.class,
                            next -> assertThat(next.lease().fence()).isGreaterThan(Long.parseLong(higher)));
            assertThat(granted.answer().lease().fence()).isLessThan(Long.parseLong(higher));
            waiting.commit();
        }
        assertThat(database.orders()).isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void the_error_in_a_stricter_transaction_that_is_too_late_says_to_run_it_again(int isolation) throws SQLException {
        try (Connection strict = database.begin()) {
            strict.setTransactionIsolation(isolation);
            text(strict, "SELECT count(*) FROM orders");
            await(store().claim(request("k")));
            assertThatThrownBy(() -> store().within(strict, PATIENT).claim(request("k")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("run the whole transaction again");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void a_stricter_transaction_without_a_conflict_commits_and_replays(int isolation) throws SQLException {
        try (Connection strict = database.begin()) {
            strict.setTransactionIsolation(isolation);
            complete(database.granted(strict, "k"));
            strict.commit();
            assertThat(store().within(strict, PATIENT).claim(request("k"))).isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }
}
