package dev.semel.messaging.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that are held at a record that must be redelivered. Each pauses before the record is handled again, longer
 * every time, and until the record has passed only that record is handled.
 */
final class PartitionBackoff {

    /** A handler that failed once often succeeds at once. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** A record that waits for a lease to end, or for evidence, is retried soon after. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    /** @param untilNanos by {@link System#nanoTime} */
    private record Hold(long offset, int times, long untilNanos) {}

    private final Map<TopicPartition, Hold> held = new HashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();

    /** Holds the partition at this record. */
    void hold(TopicPartition partition, long offset) {
        Hold before = held.get(partition);
        int times = before != null && before.offset == offset ? before.times + 1 : 1;
        held.put(
                partition,
                new Hold(offset, times, System.nanoTime() + pause(times).toNanos()));
        paused.add(partition);
    }

    private static Duration pause(int times) {
        // The exponent is limited before the shift can overflow; the maximum is reached long before.
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 16));
        return pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
    }

    /** Releases partitions: their record has passed, or they are assigned to another consumer. */
    void release(Collection<TopicPartition> partitions) {
        partitions.forEach(held::remove);
        paused.removeAll(partitions);
    }

    boolean isHeld(TopicPartition partition) {
        return held.containsKey(partition);
    }

    /** The partitions whose pause has ended since the last call. */
    Set<TopicPartition> resumable() {
        long now = System.nanoTime();
        Set<TopicPartition> resumable = new HashSet<>();
        for (TopicPartition partition : paused) {
            Hold hold = held.get(partition);
            if (hold == null || now - hold.untilNanos >= 0) {
                resumable.add(partition);
            }
        }
        paused.removeAll(resumable);
        return resumable;
    }

    /** The time until the next pause ends, at most this long. */
    Duration untilNext(Duration max) {
        long now = System.nanoTime();
        long nanos = max.toNanos();
        for (TopicPartition partition : paused) {
            Hold hold = held.get(partition);
            if (hold != null) {
                nanos = Math.min(nanos, Math.max(0, hold.untilNanos - now));
            }
        }
        return Duration.ofNanos(nanos);
    }
}
