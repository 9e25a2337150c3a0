package dev.semel.testkit.contract;

import dev.semel.Lease;
import dev.semel.Operation.LateRetries;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.StoreHarness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Random schedules of claims, settlements, pruning, late retries and steps of the store's clock, forward and back. A few keys share
 * the clock and the pruning of one store, which race with their claims and settlements; each claims and settles at random. A
 * ledger of its own says for each key whether it may be granted: a grant after an attempt that was not released is a second
 * execution.
 */
final class LateSchedule implements StoreVerbs {

    static final Duration KEPT = Duration.ofHours(1);

    private static final int STEPS = 14;

    /** More than the records of the schedules in one store; few leave some behind, which later pruning finds. */
    private static final List<Integer> PRUNED_AT_ONCE = List.of(1, 10, 1_000, 1_000);

    private static final List<Duration> MOVES = List.of(
            Duration.ofMinutes(1),
            KEPT.dividedBy(2),
            KEPT.minusMinutes(1),
            KEPT.plusMinutes(1),
            KEPT.multipliedBy(3),
            Duration.ofDays(2));

    private static final List<Duration> SKEWS = List.of(
            KEPT.multipliedBy(-2),
            Duration.ofMinutes(-10),
            Duration.ofSeconds(-1),
            Duration.ofMinutes(4),
            Duration.ofMinutes(20));

    /** What claims were answered, over many schedules: without grants and refusals of each kind they would show nothing. */
    enum Answer {
        GRANTED,
        GRANTED_AGAIN,
        RECORDED,
        TOO_LATE,
        TOO_EARLY,
        OTHER
    }

    private final StoreHarness harness;
    private final Random random;
    private final Map<Answer, Integer> answers;
    private final List<Retried> keys = new ArrayList<>();
    private Duration moved = Duration.ZERO;

    private LateSchedule(StoreHarness harness, long seed, int keys, boolean timed, Map<Answer, Integer> answers) {
        this.harness = harness;
        this.random = new Random(seed);
        this.answers = answers;
        Instant now = timed ? now(seed) : null;
        for (int i = 0; i < keys; i++) {
            Instant time = now == null ? null : now.plus(SKEWS.get(random.nextInt(SKEWS.size())));
            this.keys.add(new Retried("late-" + seed + "-" + i, FirstUse.of(time, KEPT, LateRetries.BY_KEY)));
        }
    }

    /**
     * Runs schedules of so many keys together, on keys that carry their time or, in a store that keeps tombstones, do not; counts the
     * answers.
     */
    static Map<Answer, Integer> run(StoreHarness harness, boolean timed, long seed, int keys) {
        Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
        new LateSchedule(harness, seed, keys, timed, answers).run();
        return answers;
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    private Instant now(long seed) {
        ClaimAnswer.Granted granted = (ClaimAnswer.Granted) claim(StoreVerbs.request("probe-" + seed));
        return granted.record().times().createdAt();
    }

    private void run() {
        for (int step = 0; step < STEPS; step++) {
            boolean early = random.nextBoolean();
            List<Runnable> claims = claims();
            if (early) {
                event();
            }
            claims.forEach(Runnable::run);
            List<Runnable> settlements = settlements();
            if (!early) {
                event();
            }
            settlements.forEach(Runnable::run);
        }
    }

    /** What happens to all keys, while claims or settlements are on their way. */
    private void event() {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> prune(random.nextInt(3) == 0 ? Expiry.MARK : Expiry.DELETE);
            case 3 -> move(Duration.ofSeconds(-(long) (random.nextDouble() * moved.toSeconds())));
            case 4, 5, 6 -> move(MOVES.get(random.nextInt(MOVES.size())));
            default -> {}
        }
    }

    private void prune(Expiry expiry) {
        int limit = PRUNED_AT_ONCE.get(random.nextInt(PRUNED_AT_ONCE.size()));
        note("prune-" + expiry + "-" + limit);
        prune(limit, expiry);
    }

    private void move(Duration by) {
        note("clock" + by);
        moved = moved.plus(by);
        harness.elapse(by);
    }

    private void note(String event) {
        keys.forEach(key -> key.story.append(' ').append(event));
    }

    /** Claims of about half of the keys, some twice at once; what is left to do is to await and judge the answers. */
    private List<Runnable> claims() {
        List<Runnable> sent = new ArrayList<>();
        for (Retried key : keys) {
            if (random.nextBoolean()) {
                sent.add(key.claim(harness.store()));
                if (random.nextInt(4) == 0) {
                    sent.add(key.claim(harness.another()));
                }
            }
        }
        return sent;
    }

    private List<Runnable> settlements() {
        List<Runnable> sent = new ArrayList<>();
        for (Retried key : keys) {
            Lease lease = key.open;
            if (lease != null && random.nextInt(3) > 0) {
                sent.add(key.settle(lease));
            }
        }
        return sent;
    }

    /** A key, and the ledger of its executions. */
    private final class Retried {

        private final String name;
        private final FirstUse firstUse;
        private final StringBuilder story = new StringBuilder();
        private boolean executed;
        private long lastFence;
        private @Nullable Lease open;

        Retried(String name, FirstUse firstUse) {
            this.name = name;
            this.firstUse = firstUse;
        }

        Runnable claim(Store store) {
            CompletionStage<ClaimAnswer> sent =
                    store.claim(StoreVerbs.request(name).withFirstUse(firstUse));
            return () -> claimed(StoreVerbs.await(sent));
        }

        private void claimed(ClaimAnswer answer) {
            story.append(" claim-").append(answer.getClass().getSimpleName());
            answers.merge(kind(answer), 1, Integer::sum);
            if (answer instanceof ClaimAnswer.Granted granted) {
                if (executed) {
                    throw failure("executed twice");
                }
                if (granted.lease().fence() <= lastFence) {
                    throw failure("the fence did not rise");
                }
                lastFence = granted.lease().fence();
                executed = true;
                open = granted.lease();
            }
        }

        private Answer kind(ClaimAnswer answer) {
            if (answer instanceof ClaimAnswer.Granted) {
                return lastFence == 0 ? Answer.GRANTED : Answer.GRANTED_AGAIN;
            }
            if (answer instanceof ClaimAnswer.TooLate) {
                return Answer.TOO_LATE;
            }
            if (answer instanceof ClaimAnswer.TooEarly) {
                return Answer.TOO_EARLY;
            }
            return answer instanceof ClaimAnswer.Recorded ? Answer.RECORDED : Answer.OTHER;
        }

        /** An attempt that is proven not to have executed gives the key back; any other has executed. */
        Runnable settle(Lease lease) {
            open = null;
            boolean release = random.nextInt(4) == 0;
            boolean doubt = !release && random.nextInt(4) == 0;
            story.append(release ? " release" : doubt ? " unknown" : " complete");
            Outcome outcome =
                    release ? StoreVerbs.notExecuted() : doubt ? StoreVerbs.unknown() : StoreVerbs.completed("done");
            CompletionStage<SettleAnswer> sent = store().settle(lease, outcome, KEPT);
            return () -> {
                boolean settled = StoreVerbs.await(sent) instanceof SettleAnswer.Settled;
                executed = !(release && settled);
                if (doubt) {
                    store().reconcile(lease, StoreVerbs.completed("late"), EVIDENCE, KEPT);
                }
            };
        }

        private AssertionError failure(String what) {
            return new AssertionError(what + ", key " + name + " after" + story);
        }
    }
}
