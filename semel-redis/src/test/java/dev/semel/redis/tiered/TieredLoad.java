package dev.semel.redis.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Outcome;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Threads that send new and repeated requests to the stores of several processes until they are stopped, with a ledger of
 * executions that is independent of any store.
 */
final class TieredLoad implements AutoCloseable {

    private static final int THREADS = 4;

    /** One request in this many is the first with its key. */
    private static final int REPETITIONS = 8;

    private final List<TieredStore> stores;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Identity, AtomicInteger> ledger = new ConcurrentHashMap<>();
    private final Map<Identity, Outcome.Completed> outcomes = new ConcurrentHashMap<>();
    private final Set<Identity> completed = ConcurrentHashMap.newKeySet();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean stopped;

    TieredLoad(TieredStore... stores) {
        this.stores = List.of(stores);
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::run, "caller-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        Random random = new Random();
        try {
            while (!stopped && failures.isEmpty()) {
                request(random);
                answers.incrementAndGet();
            }
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    /** Returns the identity of a completed record. */
    Identity anyCompleted(Random random) {
        List<Identity> all = List.copyOf(completed);
        return all.get(random.nextInt(all.size()));
    }

    private static Identity identity(int number) {
        return Identity.of("acme", "k" + number);
    }

    private void request(Random random) {
        Identity identity = identity(random.nextInt(answers.get() / REPETITIONS + 1));
        TieredStore store = stores.get(random.nextInt(stores.size()));
        boolean known = completed.contains(identity);
        boolean misuse = known && random.nextInt(REPETITIONS) == 0;
        ClaimRequest request = StoreVerbs.request(identity);
        ClaimAnswer answer =
                StoreVerbs.await(store.claim(misuse ? request.withFingerprint(StoreVerbs.OTHER_FINGERPRINT) : request));
        if (misuse) {
            assertThat(answer).isInstanceOf(ClaimAnswer.Mismatch.class);
        } else if (answer instanceof ClaimAnswer.Recorded recorded) {
            assertThat(recorded.record().response()).isEqualTo(outcome(identity).response());
            completed.add(identity);
        } else {
            assertThat(known).as("%s after it was completed", answer).isFalse();
            if (answer instanceof ClaimAnswer.Granted granted) {
                execute(store, granted);
            } else {
                assertThat(answer).isInstanceOf(ClaimAnswer.Busy.class);
            }
        }
    }

    private Outcome.Completed outcome(Identity identity) {
        Outcome.Completed outcome = outcomes.get(identity);
        if (outcome == null) {
            throw new AssertionError("a replay of an operation that was never executed");
        }
        return outcome;
    }

    private void execute(TieredStore store, ClaimAnswer.Granted granted) {
        Identity identity = granted.record().identity();
        ledger.computeIfAbsent(identity, absent -> new AtomicInteger()).incrementAndGet();
        Outcome.Completed outcome = new Outcome.Completed(StoreVerbs.response("by " + granted.lease()));
        outcomes.put(identity, outcome);
        assertThat(StoreVerbs.await(store.settle(granted.lease(), outcome, StoreVerbs.RETENTION)))
                .isInstanceOf(SettleAnswer.Settled.class);
        completed.add(identity);
    }

    /** Waits until this many more requests were answered. */
    void awaitAnswers(int more) {
        int goal = answers.get() + more;
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> answers.get() >= goal || !failures.isEmpty());
        assertThat(failures).isEmpty();
    }

    /** Waits until Redis has answered this many more claims. */
    void awaitHits(int more) {
        long goal = hits() + more;
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> hits() >= goal || !failures.isEmpty());
        assertThat(failures).isEmpty();
    }

    private long hits() {
        return stores.stream().mapToLong(store -> store.statistics().hits()).sum();
    }

    /** Stops, and checks that every operation was executed once. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(ledger).hasSizeGreaterThan(REPETITIONS);
        assertThat(ledger.values()).allMatch(count -> count.get() == 1);
    }
}
