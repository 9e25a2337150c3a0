package dev.semel.jdbc.postgresql;

import static dev.semel.jdbc.postgresql.OrdersDatabase.order;
import static dev.semel.testkit.contract.StoreVerbs.FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.OPERATION;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.Refusal;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: work that is claimed when it is done")
@Timeout(120)
class PostgresLateTest {

    private OrdersDatabase database;

    /** Another process: it has not seen the keys of the first. */
    private PostgresStore elsewhere;

    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void open() throws SQLException {
        database = new OrdersDatabase();
        elsewhere = new PostgresStore(database.connections());
    }

    @AfterEach
    void close() {
        elsewhere.close();
        database.close();
    }

    private static Intent intent(String key, Duration maxWait) {
        Operation operation = Operation.named(OPERATION).waitUpTo(maxWait).claim(ClaimTime.LATE);
        return Intent.of(operation, id(key).scope(), id(key).key(), FINGERPRINT);
    }

    private Execution<String> place(PostgresStore store, String key, Runnable inside) throws SQLException {
        return SemelEngine.on(store)
                .build()
                .executeInTransaction(
                        database.connections(),
                        intent(key, Duration.ofMinutes(1)),
                        Codec.text(),
                        (connection, attempt) -> {
                            int run = runs.incrementAndGet();
                            order(connection, key + "-" + run);
                            inside.run();
                            return "run " + run;
                        });
    }

    @Test
    void duplicates_that_run_side_by_side_commit_one_effect_and_give_one_answer() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        Runnable meet = () -> {
            try {
                both.await(1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Execution<String>> one = threads.submit(() -> place(database.store(), "k", meet));
            Future<Execution<String>> other = threads.submit(() -> place(elsewhere, "k", meet));
            List<Execution<String>> executions = List.of(one.get(1, TimeUnit.MINUTES), other.get(1, TimeUnit.MINUTES));
            assertThat(executions).hasAtLeastOneElementOfType(Execution.Ran.class);
            assertThat(executions).hasAtLeastOneElementOfType(Execution.Replayed.class);
            assertThat(executions.get(0).orThrow()).isEqualTo(executions.get(1).orThrow());
            assertThat(database.orders())
                    .isEqualTo("k-" + executions.get(0).orThrow().substring("run ".length()));
        } finally {
            threads.shutdownNow();
        }
        assertThat(runs).hasValue(2);
    }

    @Test
    void a_retry_in_another_process_runs_in_vain_and_is_answered_from_the_record() throws SQLException {
        place(database.store(), "k", () -> {});
        assertThat(place(elsewhere, "k", () -> {}))
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.value()).isEqualTo("run 1"));
        assertThat(runs).hasValue(2);
        assertThat(place(elsewhere, "k", () -> {})).isInstanceOf(Execution.Replayed.class);
        assertThat(runs).as("a key that was seen is looked up").hasValue(2);
        assertThat(database.orders()).isEqualTo("k-1");
    }

    @Test
    void a_retry_whose_work_fails_because_of_the_first_is_answered_from_the_record() throws SQLException {
        place(database.store(), "k", () -> {});
        assertThat(place(elsewhere, "k", () -> {
                    throw new IllegalStateException("this order is there already");
                }))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(database.orders()).isEqualTo("k-1");
    }

    @Test
    void a_key_that_an_ordinary_claim_holds_is_refused_and_the_work_undone() throws SQLException {
        await(database.store().claim(request("k")));
        assertThat(place(elsewhere, "k", () -> {}))
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(Refusal.InProgress.class));
        assertThat(database.orders()).isEmpty();
    }

    @Test
    void late_work_takes_one_round_trip_more_than_the_work_itself() throws SQLException {
        CountingDataSource counting = new CountingDataSource(database.connections(), true);
        SemelEngine.on(database.store())
                .build()
                .executeInTransaction(
                        counting.dataSource(), intent("k", Duration.ZERO), Codec.text(), (connection, attempt) -> {
                            order(connection, "one");
                            return "done";
                        });
        assertThat(counting.executions()).as("the work's, and the record's").isEqualTo(2);
    }

    @Test
    void a_record_that_does_not_get_its_turn_in_time_is_not_written() throws SQLException {
        try (Connection first = database.begin();
                Connection second = database.begin()) {
            database.granted(first, "k");
            StoreTransaction late = elsewhere.within(second, Duration.ofMillis(1));
            assertThat(late.record(request("k"), response("late"), RETENTION)).isEmpty();
            second.rollback();
            first.rollback();
        }
        assertThat(await(elsewhere.find(id("k")))).isEmpty();
    }

    @Test
    @DisplayName("I2: a record is not written with a fence that is below one which was deleted")
    void a_record_written_after_a_deletion_of_a_later_fence_is_undone() throws SQLException {
        try (Connection connection = database.begin()) {
            OrdersDatabase.text(
                    connection, "SELECT setval('semel_prune', (SELECT last_value + 1000 FROM semel_fence))");
            connection.commit();
            StoreTransaction late = elsewhere.within(connection, Duration.ofMinutes(1));
            assertThat(late.record(request("k"), response("late"), RETENTION)).isEmpty();
            connection.rollback();
        }
        assertThat(await(elsewhere.find(id("k")))).isEmpty();
    }

    @Test
    void a_crash_before_the_commit_leaves_nothing_and_the_next_one_executes() throws SQLException {
        Connection connection = database.begin();
        StoreTransaction late = database.store().within(connection, Duration.ofMinutes(1));
        order(connection, "lost");
        assertThat(late.record(request("k"), response("lost"), RETENTION)).isPresent();
        connection.abort(Runnable::run);
        assertThat(place(elsewhere, "k", () -> {})).isInstanceOf(Execution.Ran.class);
        assertThat(await(elsewhere.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
    }
}
