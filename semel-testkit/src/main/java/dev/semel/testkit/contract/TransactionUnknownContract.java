package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Semel.TransactionWork;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.adapter.TransactionClaims;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.TransactionalStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.BlockingVerbs;
import dev.semel.testkit.FaultyDataSource;
import dev.semel.testkit.FaultyDataSource.Fault;
import dev.semel.testkit.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An unknown outcome whose own transaction cannot record it: it is executed once, and ends on record as unknown. */
public interface TransactionUnknownContract extends TransactionVerbs {

    int RACERS = 4;
    int KEYS = 10;

    /** Each look asks the store: on a busy machine they take minutes, and only a test that fails needs them all. */
    int MOST_LOOKS = 100_000;

    /** What the work does in its transaction. */
    interface Unsure {
        String run(Connection connection, Attempt attempt) throws SQLException;
    }

    /** An engine on the store under test, an application whose connections fail, and a ledger that no fault reaches. */
    final class Bench {

        private final ManualTime time = new ManualTime();
        private final AtomicBoolean down = new AtomicBoolean();
        private final AtomicInteger executions = new AtomicInteger();
        private final TransactionVerbs verbs;
        private final FaultyDataSource application;
        private final SemelEngine semel;

        Bench(TransactionVerbs verbs) {
            this.verbs = verbs;
            this.application = new FaultyDataSource(verbs.harness().connections());
            this.semel = SemelEngine.on(failing(verbs.harness().transactional()))
                    .timer(time)
                    .build();
        }

        /** The store, which answers no claim outside of transactions while it is down. */
        private TransactionalStore failing(TransactionalStore store) {
            return (TransactionalStore) Proxy.newProxyInstance(
                    TransactionalStore.class.getClassLoader(),
                    new Class<?>[] {TransactionalStore.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("blocking")) {
                            return BlockingVerbs.awaiting((TransactionalStore) proxy);
                        }
                        if (down.get() && method.getName().equals("claim")) {
                            return CompletableFuture.failedFuture(new StoreException("injected: the store is down"));
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        static Intent intent(String key) {
            Operation operation = Operation.named(OPERATION).waitUpTo(LONG_WAIT);
            return Intent.of(operation, id(key).scope(), id(key).key(), FINGERPRINT);
        }

        Execution<String> execute(String key, TransactionWork<String, SQLException> work) throws SQLException {
            return semel.executeInTransaction(
                    application.dataSource(), intent(key), Codec.text(), (connection, attempt) -> {
                        executions.incrementAndGet();
                        return work.run(connection, attempt);
                    });
        }

        Execution<String> executeAgain(String key) throws SQLException {
            return execute(key, (connection, attempt) -> "executed again");
        }

        /** Waits until the outcome is on record as unknown, which may happen in the background. */
        void awaitUnknown(String key) {
            Optional<State> state = stateOf(key);
            for (int look = 0; look < MOST_LOOKS && !state.equals(Optional.of(State.UNKNOWN)); look++) {
                time.advance(Duration.ofSeconds(1));
                state = stateOf(key);
            }
            assertThat(state).as(key).contains(State.UNKNOWN);
        }

        private Optional<State> stateOf(String key) {
            return verbs.find(key).map(StoredRecord::state);
        }

        void assertExecutedOnceAndUnknown(String key) throws SQLException {
            awaitUnknown(key);
            assertThat(executeAgain(key))
                    .as(key)
                    .isInstanceOfSatisfying(
                            Execution.Refused.class,
                            refused -> assertThat(refused.why()).isInstanceOf(Refusal.OutcomeUnknown.class));
            assertThat(executions.getAndSet(0)).as("I1: executions of " + key).isEqualTo(1);
            assertThat(verbs.written()).as("what %s wrote is undone", key).isEmpty();
        }
    }

    private static String timeOut(Connection connection, Attempt attempt) throws SQLException {
        write(connection, "half");
        throw new OutcomeUnknownException("the bank did not answer");
    }

    private static String declare(Connection connection, Attempt attempt) throws SQLException {
        write(connection, "half");
        attempt.outcomeUnknown("timeout");
        return "perhaps";
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded although its commit failed, or its answer was lost")
    default void unknown_with_a_bad_commit() throws SQLException {
        Bench bench = new Bench(this);
        for (Fault fault : Fault.values()) {
            bench.application.failNext(fault);
            assertUnknownReaches(bench, "thrown-" + fault, TransactionUnknownContract::timeOut);
            bench.assertExecutedOnceAndUnknown("thrown-" + fault);

            bench.application.failNext(fault);
            assertUnknownReaches(bench, "declared-" + fault, TransactionUnknownContract::declare);
            bench.assertExecutedOnceAndUnknown("declared-" + fault);
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded although the connection was lost during the work")
    default void unknown_with_a_lost_connection() throws SQLException {
        Bench bench = new Bench(this);
        for (Unsure unsure :
                List.<Unsure>of(TransactionUnknownContract::timeOut, TransactionUnknownContract::declare)) {
            String key = "k" + unsure.hashCode();
            assertUnknownReaches(bench, key, (connection, attempt) -> {
                try {
                    return unsure.run(connection, attempt);
                } finally {
                    bench.application.loseConnections();
                }
            });
            bench.assertExecutedOnceAndUnknown(key);
        }
    }

    /** The caller gets that the outcome is unknown, whether or not that is on record yet, and never that it may repeat it. */
    private static void assertUnknownReaches(Bench bench, String key, Unsure work) throws SQLException {
        try {
            assertThat(bench.execute(key, work::run)).isInstanceOf(Execution.Ran.class);
        } catch (OutcomeUnknownException expected) {
            assertThat(expected).hasMessage("the bank did not answer");
        } catch (StoreException notRecorded) {
            assertThat(notRecorded).hasMessageContaining("is unknown, and this is not on record yet");
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome is recorded as soon as a store that was down is back")
    default void unknown_while_the_store_is_down() throws SQLException {
        Bench bench = new Bench(this);
        for (Fault fault : List.of(Fault.COMMIT_REFUSED, Fault.COMMIT_ANSWER_LOST)) {
            String key = "k-" + fault;
            bench.down.set(true);
            bench.application.failNext(fault);
            assertThatThrownBy(() -> bench.execute(key, TransactionUnknownContract::timeOut))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is unknown, and this is not on record yet");
            bench.time.advance(Duration.ofMinutes(1));
            bench.down.set(false);
            bench.assertExecutedOnceAndUnknown(key);
        }
    }

    @Test
    @DisplayName("I1, I6: an unknown outcome of a transaction that its caller rolled back is recorded by the caller")
    default void unknown_with_a_rollback_of_the_callers() throws SQLException {
        Bench bench = new Bench(this);
        TransactionClaims within;
        try (Connection connection = begin()) {
            within = bench.semel.within(connection);
            assertThatThrownBy(() -> within.executeChecked(Bench.intent("k"), Codec.text(), attempt -> {
                        bench.executions.incrementAndGet();
                        return timeOut(connection, attempt);
                    }))
                    .isInstanceOf(OutcomeUnknownException.class);
            connection.rollback();
        }
        assertThat(find("k")).isEmpty();
        assertThat(within.settleUnknownAfterRollback().values()).singleElement().isInstanceOf(Settlement.Settled.class);
        bench.assertExecutedOnceAndUnknown("k");
    }

    @Test
    @DisplayName(
            "I1: duplicates that wait behind a transaction do not execute what it left unknown, though it was undone")
    default void unknown_with_duplicates_waiting() throws Exception {
        Bench bench = new Bench(this);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch coming = new CountDownLatch(2);
        bench.application.failNext(Fault.COMMIT_REFUSED);
        List<Callable<String>> tasks = new ArrayList<>();
        tasks.add(() -> {
            assertUnknownReaches(bench, "k", (connection, attempt) -> {
                started.countDown();
                awaited(coming);
                return timeOut(connection, attempt);
            });
            return "";
        });
        for (int i = 0; i < 2; i++) {
            tasks.add(() -> {
                awaited(started);
                coming.countDown();
                assertThat(bench.executeAgain("k"))
                        .as("unknown, or in progress while that is being recorded")
                        .isInstanceOfSatisfying(
                                Execution.Refused.class,
                                refused -> assertThat(refused.why()).isNotInstanceOf(Refusal.Mismatch.class));
                return "";
            });
        }
        Together.run(tasks);
        bench.assertExecutedOnceAndUnknown("k");
    }

    @Test
    @DisplayName("I1, I6: however many are not sure at once, and however their commits end, each key is executed once")
    default void unknown_in_a_race() throws Exception {
        Bench bench = new Bench(this);
        List<Fault> faults = List.of(Fault.values());
        long seed = new Random().nextLong();
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            Random random = new Random(seed + i);
            tasks.add(() -> {
                for (int key = 0; key < KEYS; key++) {
                    bench.application.failNext(faults.get(random.nextInt(faults.size())));
                    executeInARace(bench, "k" + key);
                }
                return "";
            });
        }
        Together.run(tasks);
        for (int key = 0; key < KEYS; key++) {
            bench.awaitUnknown("k" + key);
        }
        assertThat(bench.executions).as("seed %s", seed).hasValue(KEYS);
        assertThat(written()).isEmpty();
    }

    /** A duplicate executes nothing, and its own commit may fail as well. */
    private static void executeInARace(Bench bench, String key) throws SQLException {
        try {
            assertThat(bench.execute(key, TransactionUnknownContract::timeOut)).isInstanceOf(Execution.Refused.class);
        } catch (OutcomeUnknownException | StoreException expected) {
            assertThat(expected).hasMessageMatching("the bank did not answer|.*not on record yet.*|.*not confirmed.*");
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "I1: a completed execution whose commit was not confirmed is replayed, or executed again if it was undone")
    default void completed_with_a_bad_commit() throws SQLException {
        Bench bench = new Bench(this);
        for (Fault fault : Fault.values()) {
            String key = "k-" + fault;
            TransactionWork<String, SQLException> work = (connection, attempt) -> {
                write(connection, key);
                return "charged";
            };
            bench.application.failNext(fault);
            assertThatThrownBy(() -> bench.execute(key, work))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("repeat the request with the same key");
            assertThat(bench.execute(key, work))
                    .isInstanceOf(fault == Fault.COMMIT_ANSWER_LOST ? Execution.Replayed.class : Execution.Ran.class);
            assertThat(written()).as("effects of %s", fault).containsOnlyOnce(key);
        }
    }
}
