package dev.semel.testkit.contract;

import dev.semel.Lease;
import dev.semel.Operation.LateRetries;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.StoreHarness;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule of claims, settlements, pruning, late retries and steps of the store's clock, forward and back, on one key. A
 * ledger of its own says whether the key may be granted: a grant after an attempt that was not released is a second execution.
 */
final class LateSchedule implements StoreVerbs {

    static final Duration KEPT = Duration.ofHours(1);

    private static final int STEPS = 14;

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
    private final String key;
    private final FirstUse firstUse;
    private final Map<Answer, Integer> answers;
    private final StringBuilder story = new StringBuilder();
    private Duration moved = Duration.ZERO;
    private boolean executed;
    private long lastFence;
    private @Nullable Lease open;

    private LateSchedule(StoreHarness harness, long seed, FirstUse firstUse, Map<Answer, Integer> answers) {
        this.harness = harness;
        this.random = new Random(seed);
        this.key = "late-" + seed;
        this.firstUse = firstUse;
        this.answers = answers;
    }

    /** Runs this many, on keys that carry their time or, in a store that keeps tombstones, do not; counts the answers. */
    static Map<Answer, Integer> run(StoreHarness harness, boolean timed, long firstSeed, int schedules) {
        Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
        for (long seed = firstSeed; seed < firstSeed + schedules; seed++) {
            FirstUse firstUse = FirstUse.of(timed ? keyTime(harness, seed) : null, KEPT, LateRetries.BY_KEY);
            new LateSchedule(harness, seed, firstUse, answers).run();
        }
        return answers;
    }

    /** A time by a client's clock, which may be wrong. */
    private static Instant keyTime(StoreHarness harness, long seed) {
        ClaimRequest probe = StoreVerbs.request("probe-" + seed);
        ClaimAnswer.Granted granted =
                (ClaimAnswer.Granted) StoreVerbs.await(harness.store().claim(probe));
        Duration skew = SKEWS.get(new Random(seed).nextInt(SKEWS.size()));
        return granted.record().times().createdAt().plus(skew);
    }

    @Override
    public StoreHarness harness() {
        return harness;
    }

    private void run() {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", key " + key + " after" + story, e);
        }
    }

    private void step() {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> claim();
            case 3 -> prune(random.nextBoolean() ? Expiry.DELETE : Expiry.MARK);
            case 4 -> prune(Expiry.DELETE);
            case 5 -> back();
            default -> move(MOVES.get(random.nextInt(MOVES.size())));
        }
        if (open != null && random.nextInt(3) > 0) {
            settle(open);
        }
    }

    private void prune(Expiry expiry) {
        story.append(" prune-").append(expiry);
        prune(100, expiry);
    }

    private void move(Duration by) {
        story.append(" clock").append(by);
        moved = moved.plus(by);
        harness.elapse(by);
    }

    private void back() {
        if (!moved.isZero()) {
            move(Duration.ofSeconds(-(long) (random.nextDouble() * moved.toSeconds())));
        }
    }

    private void claim() {
        ClaimAnswer answer = claim(StoreVerbs.request(key).withFirstUse(firstUse));
        story.append(" claim-").append(answer.getClass().getSimpleName());
        answers.merge(kind(answer), 1, Integer::sum);
        if (answer instanceof ClaimAnswer.Granted granted) {
            if (executed) {
                throw new AssertionError("executed twice");
            }
            if (granted.lease().fence() <= lastFence) {
                throw new AssertionError("the fence did not rise");
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
    private void settle(Lease lease) {
        open = null;
        boolean release = random.nextInt(4) == 0;
        boolean doubt = !release && random.nextInt(4) == 0;
        story.append(release ? " release" : doubt ? " unknown" : " complete");
        if (doubt) {
            settle(lease, StoreVerbs.unknown(), KEPT);
            store().reconcile(lease, StoreVerbs.completed("late"), EVIDENCE, KEPT);
            return;
        }
        Outcome outcome = release ? StoreVerbs.notExecuted() : StoreVerbs.completed("done");
        boolean settled = settle(lease, outcome, KEPT) instanceof SettleAnswer.Settled;
        executed = !(release && settled);
    }
}
