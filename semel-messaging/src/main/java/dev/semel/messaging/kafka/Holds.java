package dev.semel.messaging.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions whose next record has to come again: each rests before it does, longer every time, and then only that record is
 * handled until it has passed.
 */
final class Holds {

    /** A handler that failed once often succeeds at once. */
    private static final Duration FIRST = Duration.ofMillis(100);

    /** Whoever waits for a lease to end or for evidence is not kept waiting much longer than that takes. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** @param untilNanos by {@link System#nanoTime} */
    private record Hold(long offset, int times, long untilNanos) {}

    private final Map<TopicPartition, Hold> held = new HashMap<>();
    private final Set<TopicPartition> resting = new HashSet<>();

    /** This record of the partition has to come again. */
    void hold(TopicPartition partition, long offset) {
        Hold before = held.get(partition);
        int times = before != null && before.offset == offset ? before.times + 1 : 1;
        held.put(
                partition,
                new Hold(offset, times, System.nanoTime() + pause(times).toNanos()));
        resting.add(partition);
    }

    private static Duration pause(int times) {
        // Past the longest after a few, and before the shift overflows.
        Duration pause = FIRST.multipliedBy(1L << Math.min(times - 1, 16));
        return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    /** Its record has passed, or the partition is no longer ours. */
    void forget(Collection<TopicPartition> partitions) {
        partitions.forEach(held::remove);
        resting.removeAll(partitions);
    }

    boolean isHeld(TopicPartition partition) {
        return held.containsKey(partition);
    }

    /** Those that have rested long enough, each once. */
    Set<TopicPartition> rested() {
        long now = System.nanoTime();
        Set<TopicPartition> rested = new HashSet<>();
        for (TopicPartition partition : resting) {
            Hold hold = held.get(partition);
            if (hold == null || now - hold.untilNanos >= 0) {
                rested.add(partition);
            }
        }
        resting.removeAll(rested);
        return rested;
    }

    /** How long nobody has to be woken, but no longer than this. */
    Duration untilNext(Duration most) {
        long now = System.nanoTime();
        long nanos = most.toNanos();
        for (TopicPartition partition : resting) {
            Hold hold = held.get(partition);
            if (hold != null) {
                nanos = Math.min(nanos, Math.max(0, hold.untilNanos - now));
            }
        }
        return Duration.ofNanos(nanos);
    }
}
