package dev.semel.reconcile;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays that double from a first one up to a longest one, each with jitter so that waiters do not move in step. */
public record Backoff(Duration first, Duration longest) {

    /** A delay between half of this round's length and all of it; the first round is 0. */
    public Duration delay(int round) {
        long full = lengthOf(round);
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(full / 2, full + 1));
    }

    private long lengthOf(int round) {
        long ceiling = longest.toNanos();
        // Compared before it is shifted: a shift that overflows would turn the longest delay into a negative one.
        boolean reached = round >= Long.SIZE - 1 || first.toNanos() > ceiling >> round;
        return reached ? ceiling : first.toNanos() << round;
    }

    /** What the first so many delays add up to at least. */
    public Duration least(int rounds) {
        Duration sum = Duration.ZERO;
        int round = 0;
        while (round < rounds && lengthOf(round) < longest.toNanos()) {
            sum = sum.plusNanos(lengthOf(round) / 2);
            round++;
        }
        return sum.plus(longest.dividedBy(2).multipliedBy(Math.max(0, rounds - round)));
    }
}
