package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.TransactionVerbs.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.Semel.TransactionWork;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.testkit.FaultyDataSource;
import dev.semel.testkit.FaultyDataSource.Fault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work that is claimed late, or early where a store cannot do otherwise: the same promises either way. */
public interface TransactionLateContract extends TransactionVerbs {

    int LATE_RACERS = 4;
    int LATE_KEYS = 10;

    /** An engine on the store under test, and an application whose commits fail. */
    final class LateBench {

        private final FaultyDataSource application;
        private final SemelEngine semel;

        LateBench(TransactionVerbs verbs) {
            this.application = new FaultyDataSource(verbs.harness().connections());
            this.semel = SemelEngine.on(verbs.harness().transactional()).build();
        }

        static Intent intent(String key, Fingerprint fingerprint) {
            Operation operation = Operation.named(OPERATION).waitUpTo(LONG_WAIT).claim(ClaimTime.LATE);
            return Intent.of(operation, id(key).scope(), id(key).key(), fingerprint);
        }

        Execution<String> execute(String key, TransactionWork<String, SQLException> work) throws SQLException {
            return semel.executeInTransaction(application.dataSource(), intent(key, FINGERPRINT), Codec.text(), work);
        }

        /** Writes an entry of the key's name, and answers with it. */
        Execution<String> entered(String key) throws SQLException {
            return execute(key, (connection, attempt) -> {
                write(connection, key);
                return key;
            });
        }
    }

    @Test
    @DisplayName(
            "I1, I3: late work commits once, however many do it at once, and all get the response of the one that committed")
    default void late_race() throws Exception {
        LateBench bench = new LateBench(this);
        long seed = new Random().nextLong();
        List<Callable<List<String>>> tasks = new ArrayList<>();
        for (int i = 0; i < LATE_RACERS; i++) {
            String racer = "racer-" + i;
            Random random = new Random(seed + i);
            tasks.add(() -> {
                List<String> answers = new ArrayList<>();
                for (int round = 0; round < LATE_KEYS; round++) {
                    String key = "k" + round;
                    if (random.nextInt(4) == 0) {
                        undone(bench, key);
                    }
                    answers.add(bench.execute(key, (connection, attempt) -> {
                                write(connection, key);
                                return racer;
                            })
                            .orThrow());
                }
                return answers;
            });
        }
        List<List<String>> answers = Together.run(tasks);
        assertThat(answers.stream().distinct()).as("responses, seed %s", seed).hasSize(1);
        assertThat(written()).as("seed %s", seed).hasSize(LATE_KEYS).doesNotHaveDuplicates();
        for (int round = 0; round < LATE_KEYS; round++) {
            String key = "k" + round;
            assertThat(record(key).state()).isEqualTo(State.COMPLETED);
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    /** Work that fails leaves nothing; where the key has a record by then, that answers. */
    private static void undone(LateBench bench, String key) throws SQLException {
        try {
            assertThat(bench.execute(key, (connection, attempt) -> {
                        write(connection, "undone");
                        throw new IllegalArgumentException("declined");
                    }))
                    .isInstanceOf(Execution.Replayed.class);
        } catch (IllegalArgumentException expected) {
            assertThat(expected).hasMessage("declined");
        }
    }

    @Test
    @DisplayName("I3: late work is replayed, with its history, and a later claim finds it")
    default void late_replay() throws SQLException {
        LateBench bench = new LateBench(this);
        assertThat(bench.entered("k")).isInstanceOf(Execution.Ran.class);
        assertThat(bench.entered("k"))
                .isInstanceOfSatisfying(
                        Execution.Replayed.class,
                        replayed -> assertThat(replayed.value()).isEqualTo("k"));
        assertThat(bench.semel.execute(LateBench.intent("k", FINGERPRINT), Codec.text(), attempt -> "again"))
                .isInstanceOf(Execution.Replayed.class);
        assertThat(written()).containsExactly("k");
        assertThat(history("k")).hasSize(2);
        assertThat(record("k").attempts()).isEqualTo(1);
        assertThat(record("k").fence()).isPositive();
    }

    @Test
    @DisplayName("I7: late work under a key that was used for something else is refused, and leaves nothing")
    default void late_mismatch() throws SQLException {
        LateBench bench = new LateBench(this);
        bench.entered("k");
        assertThat(bench.semel.executeInTransaction(
                        bench.application.dataSource(),
                        LateBench.intent("k", OTHER_FINGERPRINT),
                        Codec.text(),
                        (connection, attempt) -> {
                            write(connection, "other");
                            return "other";
                        }))
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(Refusal.Mismatch.class));
        assertThat(written()).containsExactly("k");
    }

    @Test
    @DisplayName("late work that fails, or says that nothing was executed, leaves neither effect nor record")
    default void late_undone() throws SQLException {
        LateBench bench = new LateBench(this);
        assertThatThrownBy(() -> bench.execute("k", (connection, attempt) -> {
                    write(connection, "undone");
                    throw new SQLException("declined");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessage("declined");
        bench.execute("k", (connection, attempt) -> {
            write(connection, "undone");
            attempt.notExecuted("sold out");
            return "sold out";
        });
        assertThat(written()).isEmpty();
        assertThat(find("k")).isEmpty();
        assertThat(bench.entered("k")).isInstanceOf(Execution.Ran.class);
        assertThat(written()).containsExactly("k");
    }

    @Test
    @DisplayName("I1: late work whose commit failed, or whose answer was lost, is executed once when it is repeated")
    default void late_commit_not_confirmed() throws SQLException {
        LateBench bench = new LateBench(this);
        for (Fault fault : Fault.values()) {
            bench.application.failNext(fault);
            assertThatThrownBy(() -> bench.entered("k-" + fault)).isInstanceOf(StoreException.class);
            assertThat(bench.entered("k-" + fault).orThrow()).isEqualTo("k-" + fault);
        }
        assertThat(written()).hasSize(Fault.values().length).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("I6: late work that does not know its outcome leaves none of its writes, and an unknown record")
    default void late_unknown() throws SQLException {
        LateBench bench = new LateBench(this);
        assertThatThrownBy(() -> bench.execute("thrown", (connection, attempt) -> {
                    write(connection, "half");
                    throw new OutcomeUnknownException("the bank did not answer");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        bench.execute("declared", (connection, attempt) -> {
            write(connection, "half");
            attempt.outcomeUnknown("timeout");
            return "perhaps";
        });
        assertThat(written()).isEmpty();
        assertThat(record("thrown").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("declared").state()).isEqualTo(State.UNKNOWN);
        assertThat(bench.entered("thrown")).isInstanceOf(Execution.Refused.class);
        assertThat(written()).isEmpty();
    }
}
