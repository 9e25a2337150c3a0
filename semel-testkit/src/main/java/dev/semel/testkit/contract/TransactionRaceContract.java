package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Lease;
import dev.semel.StoreException;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I1 between transactions: the second waits for the first, and executes only if that came to nothing. */
public interface TransactionRaceContract extends TransactionVerbs {

    int TRANSACTIONS = 4;
    int ROUNDS_OF_TWO = 10;
    int IMPATIENT_CLAIMS = 60;

    @Test
    @DisplayName("I1: a duplicate waits for the transaction that claimed first, and is answered with what it committed")
    default void race_behind_a_commit() throws Exception {
        for (int round = 0; round < ROUNDS_OF_TWO; round++) {
            String key = "k" + round;
            ClaimAnswer second = second(key, (connection, transaction, lease) -> {
                transaction.settle(lease, completed("first"), RETENTION);
                connection.commit();
            });
            assertThat(second)
                    .asInstanceOf(type(ClaimAnswer.Recorded.class))
                    .satisfies(
                            recorded -> assertThat(recorded.record().response()).isEqualTo(response("first")));
            assertThat(history(key)).hasSize(2);
        }
    }

    @Test
    @DisplayName("I1: a duplicate is granted, with a higher fence, when the transaction that claimed first rolls back")
    default void race_behind_a_rollback() throws Exception {
        for (int round = 0; round < ROUNDS_OF_TWO; round++) {
            String key = "k" + round;
            long[] first = new long[1];
            ClaimAnswer second = second(key, (connection, transaction, lease) -> {
                first[0] = lease.fence();
                connection.rollback();
            });
            assertThat(second).asInstanceOf(type(ClaimAnswer.Granted.class)).satisfies(granted -> {
                assertThat(granted.attempts()).isEqualTo(1);
                assertThat(granted.lease().fence()).isGreaterThan(first[0]);
            });
            assertThat(history(key)).hasSize(1);
        }
    }

    @Test
    @DisplayName(
            "I1: a duplicate is granted when the transaction that claimed first undoes its claim and commits the rest")
    default void race_behind_an_undone_claim() throws Exception {
        ClaimAnswer second = second("k", (connection, transaction, lease) -> {
            transaction.undoClaim();
            write(connection, "the rest");
            connection.commit();
        });
        assertThat(second).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(written()).containsExactly("the rest");
    }

    /** How the first transaction ends. */
    interface Ending {
        void end(Connection connection, StoreTransaction transaction, Lease lease) throws SQLException;
    }

    /** Lets a first transaction claim, then a second one at the same time as the first ends; commits the second. */
    private ClaimAnswer second(String key, Ending ending) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        CountDownLatch asking = new CountDownLatch(1);
        try (Connection first = begin()) {
            StoreTransaction transaction = within(first);
            Lease lease = granted(transaction, request(key));
            Future<ClaimAnswer> second = thread.submit(() -> {
                try (Connection connection = begin()) {
                    StoreTransaction duplicate = within(connection);
                    asking.countDown();
                    ClaimAnswer answer = duplicate.claim(request(key));
                    connection.commit();
                    return answer;
                }
            });
            assertThat(asking.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(second.isDone()).as("answered while the first is open").isFalse();
            ending.end(first, transaction, lease);
            return second.get(2, TimeUnit.MINUTES);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    @DisplayName("a duplicate that may not wait is refused as busy, and its transaction continues")
    default void race_without_patience() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (Duration maxWait : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(20))) {
                String key = "k" + maxWait;
                try (Connection first = begin();
                        Connection second = begin()) {
                    StoreTransaction transaction = within(first);
                    Lease lease = granted(transaction, request(key));
                    // On a thread of its own, so that a store which waits for ever fails the test and does not stop
                    // it; so often, because one which waits for a time of its own choice is not to end in time either.
                    Future<ClaimAnswer> answer = thread.submit(() -> {
                        ClaimAnswer last = claimWithin(second, maxWait, key);
                        for (int i = 0; i < IMPATIENT_CLAIMS && last instanceof ClaimAnswer.Busy; i++) {
                            last = claimWithin(second, maxWait, key);
                        }
                        return last;
                    });
                    assertThat(answer.get(1, TimeUnit.MINUTES))
                            .asInstanceOf(type(ClaimAnswer.Busy.class))
                            .satisfies(busy -> assertThat(busy.leaseRemaining()).isGreaterThanOrEqualTo(Duration.ZERO));
                    transaction.settle(lease, completed("done"), RETENTION);
                    first.commit();
                    write(second, key);
                    assertThat(within(second).claim(request(key))).isInstanceOf(ClaimAnswer.Recorded.class);
                    second.commit();
                }
            }
        } finally {
            thread.shutdownNow();
        }
        assertThat(written()).hasSize(3);
    }

    private ClaimAnswer claimWithin(Connection connection, Duration maxWait, String key) {
        return harness().transactional().within(connection, maxWait).claim(request(key));
    }

    @Test
    @DisplayName("transactions on different keys do not stop each other for good, and all commit")
    default void race_on_different_keys() throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            String prefix = "thread-" + i + "-";
            tasks.add(() -> {
                for (int round = 0; round < ROUNDS_OF_TWO; round++) {
                    execute(prefix + round, prefix + round, true);
                }
                return 0;
            });
        }
        Together.run(tasks);
        assertThat(written()).hasSize(TRANSACTIONS * ROUNDS_OF_TWO).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("I1: however many transactions race, and however many roll back, each key is executed once")
    default void race_of_many() throws Exception {
        long seed = new Random().nextLong();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            Random random = new Random(seed + i);
            tasks.add(() -> {
                for (int round = 0; round < ROUNDS_OF_TWO; round++) {
                    String key = "k" + round;
                    ClaimAnswer answer;
                    do {
                        answer = execute(key, key, random.nextBoolean());
                    } while (!(answer instanceof ClaimAnswer.Recorded));
                }
                return 0;
            });
        }
        Together.run(tasks);
        assertThat(written()).as("seed %s", seed).hasSize(ROUNDS_OF_TWO).doesNotHaveDuplicates();
        for (int round = 0; round < ROUNDS_OF_TWO; round++) {
            assertThat(record("k" + round).attempts()).isEqualTo(1);
            assertThat(history("k" + round)).hasSize(2);
        }
    }

    private ClaimAnswer execute(String key, String entry, boolean commit) throws SQLException {
        try (Connection connection = begin()) {
            StoreTransaction transaction = within(connection);
            ClaimAnswer answer = transaction.claim(request(key));
            if (answer instanceof ClaimAnswer.Granted granted) {
                write(connection, entry);
                transaction.settle(granted.lease(), completed(entry), RETENTION);
            }
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return answer;
        }
    }

    @Test
    @DisplayName("I1: a claim outside of any transaction is never granted what an open transaction has claimed")
    default void race_with_an_ordinary_claim() throws Exception {
        for (int round = 0; round < ROUNDS_OF_TWO; round++) {
            String key = "k" + round;
            CountDownLatch asking = new CountDownLatch(1);
            CompletableFuture<@Nullable Object> ordinary;
            try (Connection first = begin()) {
                StoreTransaction transaction = within(first);
                Lease lease = granted(transaction, request(key));
                ordinary = CompletableFuture.supplyAsync(() -> {
                    asking.countDown();
                    return answerOrFault(key);
                });
                assertThat(asking.await(1, TimeUnit.MINUTES)).isTrue();
                transaction.settle(lease, completed("first"), RETENTION);
                first.commit();
            }
            assertThat(ordinary.get(2, TimeUnit.MINUTES))
                    .isInstanceOfAny(ClaimAnswer.Recorded.class, ClaimAnswer.Busy.class, StoreException.class);
            assertThat(claim(key)).isInstanceOf(ClaimAnswer.Recorded.class);
        }
    }

    private @Nullable Object answerOrFault(String key) {
        try {
            return claim(key);
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }
}
