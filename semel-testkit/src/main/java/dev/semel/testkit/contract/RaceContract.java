package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * I1 and I8 under contention: many threads on few keys, through two handles.
 *
 * <p>The witness is deliberately not atomic: two executions at once lose an increment or see each other inside.
 */
public interface RaceContract extends StoreVerbs {

    int THREADS = 8;
    int ROUNDS = 40;
    int KEYS = 25;

    /** Each of them waits for a lock for a while. */
    int MOST_TRIES = 30;

    /** What one key's executions leave behind: plain fields, written without any synchronization of their own. */
    final class Witness {
        private int inside;
        private int executions;
        private boolean overlapped;
        private final List<Long> fences = new ArrayList<>();

        void execute(Lease lease) {
            inside++;
            overlapped |= inside != 1;
            int before = executions;
            Thread.onSpinWait();
            executions = before + 1;
            fences.add(lease.fence());
            inside--;
        }
    }

    @Test
    @DisplayName("I1: simultaneous claims of one key are granted to exactly one")
    default void race_for_the_first_claim() throws Exception {
        for (int round = 0; round < ROUNDS / 4; round++) {
            List<Identity> identities = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                identities.add(Identity.of("acme", "round-" + round + "-" + i));
            }
            List<List<ClaimAnswer>> answers = atOnce(handle -> identities.stream()
                    .map(identity -> StoreVerbs.await(handle.claim(request(identity))))
                    .toList());
            for (int i = 0; i < KEYS; i++) {
                int key = i;
                List<ClaimAnswer> ofKey =
                        answers.stream().map(ofThread -> ofThread.get(key)).toList();
                assertThat(ofKey)
                        .filteredOn(ClaimAnswer.Granted.class::isInstance)
                        .hasSize(1);
                assertThat(ofKey).filteredOn(ClaimAnswer.Busy.class::isInstance).hasSize(THREADS - 1);
            }
        }
    }

    @Test
    @DisplayName("I1: simultaneous claims of a released or taken-over key are granted to exactly one")
    default void race_for_the_next_claim() throws Exception {
        for (int round = 0; round < ROUNDS / 4; round++) {
            Identity released = Identity.of("acme", "released-" + round);
            settle(granted(request(released)), notExecuted());
            assertThat(atOnce(handle -> StoreVerbs.await(handle.claim(request(released)))))
                    .filteredOn(ClaimAnswer.Granted.class::isInstance)
                    .hasSize(1);

            String crashed = "crashed-" + round;
            granted(reexecutable(crashed));
            expireLeases();
            assertThat(atOnce(handle -> StoreVerbs.await(handle.claim(reexecutable(crashed)))))
                    .filteredOn(ClaimAnswer.Granted.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName(
            "I5: simultaneous claims after a crash turn the record unknown and grant nothing; one of them noticed it")
    default void race_for_a_crashed_claim() throws Exception {
        for (int round = 0; round < ROUNDS / 4; round++) {
            Identity identity = Identity.of("acme", "crashed-" + round);
            granted(request(identity));
            expireLeases();
            assertThat(atOnce(handle -> StoreVerbs.await(handle.claim(request(identity)))))
                    .allMatch(ClaimAnswer.Unknown.class::isInstance)
                    .filteredOn(answer -> ((ClaimAnswer.Unknown) answer).noticed())
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("I1, I8: threads that retry until they see the answer execute one at a time and complete once")
    default void race_until_completed() throws Exception {
        long seed = new Random().nextLong();
        for (int round = 0; round < ROUNDS; round++) {
            Identity identity = Identity.of("acme", "retried-" + round);
            Witness witness = new Witness();
            Random random = new Random(seed + round);
            List<Boolean> completions = atOnce(handle -> untilRecorded(handle, identity, witness, random));
            String description = "seed " + seed + ", round " + round;
            assertThat(completions).as(description).filteredOn(done -> done).hasSize(1);
            assertThat(witness.overlapped).as(description).isFalse();
            assertThat(witness.executions).as(description).isEqualTo(witness.fences.size());
            assertThat(witness.fences).as(description).isSorted().doesNotHaveDuplicates();
        }
    }

    private static boolean untilRecorded(Store handle, Identity identity, Witness witness, Random random) {
        boolean completed = false;
        while (true) {
            ClaimAnswer answer = StoreVerbs.await(handle.claim(request(identity)));
            if (answer instanceof ClaimAnswer.Recorded) {
                return completed;
            }
            if (answer instanceof ClaimAnswer.Granted granted) {
                witness.execute(granted.lease());
                boolean complete = random.nextInt(3) == 0;
                SettleAnswer settled =
                        settledInTheEnd(handle, granted.lease(), complete ? completed("done") : notExecuted());
                if (!(settled instanceof SettleAnswer.Settled)) {
                    throw new AssertionError("the holder of the lease was refused: " + settled);
                }
                completed |= complete;
            } else if (!(answer instanceof ClaimAnswer.Busy)) {
                throw new AssertionError("unexpected " + answer);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Settles, again where a busy store gave up waiting for a lock: an engine repeats it, too. */
    private static SettleAnswer settledInTheEnd(Store handle, Lease lease, Outcome outcome) {
        CompletionException last = null;
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                return StoreVerbs.await(handle.settle(lease, outcome, RETENTION));
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof StoreException)) {
                    throw e;
                }
                last = e;
            }
        }
        throw new AssertionError("the store did not settle " + lease, last);
    }

    @Test
    @DisplayName("C11: the last step before a takeover is either lost or given to the attempt that takes over")
    default void race_of_step_and_takeover() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String key = "k" + round;
            Lease vanishing = granted(reexecutable(key));
            expireLeases();
            List<Object> answers = Together.run(List.of(
                    () -> step(vanishing, "charge", response("charged")),
                    () -> StoreVerbs.await(harness().another().claim(reexecutable(key)))));
            Optional<Response> given =
                    ((ClaimAnswer.Granted) answers.get(1)).record().steps().find("charge");
            assertThat(given.isPresent()).as(key).isEqualTo(answers.get(0) == StepAnswer.RECORDED);
            assertThat(record(key).steps().find("charge")).as(key).isEqualTo(given);
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    @Test
    @DisplayName("I1, I2: of an attempt that ends or renews and a claim that takes it over, one comes first")
    default void race_of_holder_and_takeover() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean ends = round % 2 == 0;
            String key = "k" + round;
            Lease vanishing = granted(reexecutable(key));
            expireLeases();
            List<Object> answers = Together.run(List.of(
                    () -> ends ? settle(vanishing, completed("late")) : renew(vanishing),
                    () -> StoreVerbs.await(harness().another().claim(reexecutable(key)))));
            boolean held = answers.get(0) instanceof SettleAnswer.Settled || answers.get(0) == RenewAnswer.RENEWED;
            Class<?> expected = ends ? ClaimAnswer.Recorded.class : ClaimAnswer.Busy.class;
            assertThat(answers.get(1)).as(key).isInstanceOf(held ? expected : ClaimAnswer.Granted.class);
            assertThat(record(key).fence() == vanishing.fence()).as(key).isEqualTo(held);
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    @Test
    @DisplayName("I11: of a heartbeat and the sweeper, one comes first, and a lease that runs carries no mark")
    default void race_of_heartbeat_and_sweeper() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean plain = round % 2 == 0;
            String key = "k" + round;
            Lease late = granted(plain ? request(id(key)) : reexecutable(key));
            expireLeases();
            List<Object> answers = Together.run(
                    List.of(() -> renew(late), () -> harness().another().sweep(1000)));
            boolean renewed = answers.get(0) == RenewAnswer.RENEWED;
            assertThat(renewed || plain).as(key).isTrue();
            assertThat(record(key).state()).as(key).isEqualTo(renewed ? State.IN_PROGRESS : State.UNKNOWN);
            assertThat(record(key).reason()).as(key).isEqualTo(renewed ? null : StoredRecord.LEASE_EXPIRED);
            settle(late, completed("done"));
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    @Test
    @DisplayName(
            "I1, I2: of a person who has a record forgotten and a claim, one comes first: what is granted stays granted")
    default void race_of_forget_and_claim() throws Exception {
        Evidence person = new Evidence("person:alice", "erasure; ticket 7");
        for (int round = 0; round < ROUNDS; round++) {
            boolean done = round % 2 == 0;
            String key = "k" + round;
            Lease old = granted(request(id(key)));
            settle(old, done ? completed("done") : notExecuted());
            List<Object> answers = Together.run(List.of(
                    () -> store().forget(old, person),
                    () -> harness().another().forget(old, person),
                    () -> claim(request(id(key))),
                    () -> StoreVerbs.await(harness().another().claim(request(id(key))))));
            long forgotten = answers.stream()
                    .filter(SettleAnswer.Settled.class::isInstance)
                    .count();
            List<Lease> granted = answers.stream()
                    .filter(ClaimAnswer.Granted.class::isInstance)
                    .map(answer -> ((ClaimAnswer.Granted) answer).lease())
                    .toList();
            assertThat(forgotten).as(key).isLessThanOrEqualTo(1);
            assertThat(granted).as(key).hasSizeLessThanOrEqualTo(1);
            if (granted.isEmpty()) {
                assertThat(done && forgotten == 1).as(key).isTrue();
                assertThat(record(key).state()).as(key).isEqualTo(State.EXPIRED);
            } else {
                assertThat(done && forgotten == 0).as(key).isFalse();
                assertThat(granted.get(0).fence()).as(key).isGreaterThan(old.fence());
                assertThat(record(key).state()).as(key).isEqualTo(State.IN_PROGRESS);
                assertThat(record(key).fence()).as(key).isEqualTo(granted.get(0).fence());
            }
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }

    /** What each thread does with its handle on the store. */
    interface Task<T> {
        T run(Store handle) throws Exception;
    }

    private <T> List<T> atOnce(Task<T> task) throws Exception {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Store handle = i % 2 == 0 ? store() : harness().another();
            tasks.add(() -> task.run(handle));
        }
        return Together.run(tasks);
    }
}
