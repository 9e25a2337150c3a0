package dev.semel.torture.history;

import dev.semel.Identity;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the checker needs of a run's setup.
 *
 * @param settleWindow how long an outcome is unknown at least before "the provider has no such charge" is evidence; an
 *     attempt that has its effect later than this after it was given up breaks what the promises rest on
 * @param sweeps how long after the end of a lease a sweeper has noticed it, when nothing is broken: two sweeps
 * @param grace how long after a fault the processes may still notice it
 * @param retention how long a settled record of this identity is kept
 * @param late whether late retries of this identity must be refused; if not, its key may be used again after its retention
 * @param floors below which the run has shown nothing
 */
public record Expectations(
        Duration settleWindow,
        Duration sweeps,
        Duration grace,
        Function<Identity, Duration> retention,
        Predicate<Identity> late,
        Floors floors) {

    /**
     * How much must have happened for a run without violations to mean something.
     *
     * @param faultedPercent of all keys, those that a fault hit while a request was on its way
     * @param lateWakeUps attempts that went on after their records had become unknown
     * @param unknownHappened unknown outcomes that a lookup settled as having happened
     * @param unknownNotHappened unknown outcomes that a lookup settled as not having happened
     * @param succeededPercent of all clients' requests, those that got a final answer
     * @param lateRetries requests that came after the retention of their key and were refused
     */
    public record Floors(
            int faultedPercent,
            int lateWakeUps,
            int unknownHappened,
            int unknownNotHappened,
            int succeededPercent,
            int lateRetries) {

        /** One of everything, one percent of the keys hit, and half of the requests answered. */
        public static final Floors USUAL = new Floors(1, 1, 1, 1, 50, 0);

        /** The same, and a late retry. */
        public static final Floors LATE = new Floors(1, 1, 1, 1, 50, 1);

        /** For histories that are written by hand. */
        public static final Floors NONE = new Floors(0, 0, 0, 0, 0, 0);
    }
}
