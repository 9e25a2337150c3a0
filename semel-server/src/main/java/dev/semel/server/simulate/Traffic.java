package dev.semel.server.simulate;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Some seconds of the busiest time: operations begin at random moments, run, and are repeated by some of their clients; one client repeats
 * a single key without end.
 *
 * <p>Time is a circle: what happens after the last second happens in the first ones, as it would have from operations that began before.
 */
final class Traffic {

    /** What is played at most: enough that the busiest second of a thousand partitions is known within a few percent. */
    static final int MAX_OPERATIONS = 1_000_000;

    private static final int MAX_SECONDS = 10;

    /** A client whose key is busy asks again after a second. */
    private static final double BUSY_PAUSE = 1;

    private final Workload workload;
    private final SplittableRandom random;
    private final int seconds;

    Traffic(Workload workload, long seed) {
        this.workload = workload;
        this.random = new SplittableRandom(seed);
        this.seconds = (int) Math.max(1, Math.min(MAX_SECONDS, MAX_OPERATIONS / workload.rate()));
    }

    /** Learns of each call, with the second in which it arrives. */
    interface Calls {

        void claimed(int second, long key);

        void settled(int second, long key);

        /** A repeated request, which finds its key in progress or completed. */
        void repeated(int second, long key, boolean busy);
    }

    int seconds() {
        return seconds;
    }

    void play(Calls calls) {
        for (double now = pause(1 / workload.rate()); now < seconds; now += pause(1 / workload.rate())) {
            operation(now, calls);
        }
        long key = random.nextLong();
        long repeated = Math.round(workload.retries().hotRate() * seconds);
        for (long i = 0; i < repeated; i++) {
            calls.repeated((int) (i * seconds / repeated), key, false);
        }
    }

    private void operation(double start, Calls calls) {
        long key = random.nextLong();
        double end = start + pause(inSeconds(workload.running()));
        calls.claimed(secondOf(start), key);
        calls.settled(secondOf(end), key);
        if (random.nextDouble() >= workload.retries().share()) {
            return;
        }
        double again = start + pause(inSeconds(workload.retries().after()));
        for (; again < end; again += BUSY_PAUSE) {
            calls.repeated(secondOf(again), key, true);
        }
        calls.repeated(secondOf(again), key, false);
    }

    private int secondOf(double time) {
        return (int) (time % seconds);
    }

    /** The time to the next of events that come at random, this far apart on average. */
    private double pause(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    private static double inSeconds(Duration length) {
        return length.toNanos() / 1e9;
    }
}
