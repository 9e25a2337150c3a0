package dev.semel.cassandra.table;

import dev.semel.items.Codes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock of the cluster: what most of its nodes say the time is, carried on by the time that has passed in this process since.
 * The wall clock of this machine is never read.
 *
 * <ol>
 *   <li>A node that answers {@code T} shows that its time was at least {@code T} when the answer arrived.
 *   <li>The latest readings of nodes within five minutes count. Those of more than half of these nodes must agree within
 *       {@link #TOLERANCE}; their median is the estimate. While no majority agrees, the last estimate is carried on.
 *   <li>A decision that a retention has ended uses {@link #decisive}: not later than the estimate, and not later than the answer
 *       that brought the record. Neither a wrong node nor a wrong estimate lets a retention end early.
 * </ol>
 */
public final class NodeClocks {

    /** How far clocks of nodes may be apart; more is a fault of one of them. */
    public static final Duration TOLERANCE = Duration.ofSeconds(5);

    /** How old a reading becomes before nodes are asked again: an oscillator wrong by 100 parts per million gains 1 ms. */
    private static final long FRESH_MICROS = TimeUnit.SECONDS.toMicros(10);

    private static final long COUNTED_MICROS = TimeUnit.MINUTES.toMicros(5);

    /** An answer that took longer says too little of the present. */
    private static final long SLOW_MICROS = TimeUnit.SECONDS.toMicros(2);

    private static final long TOLERANCE_MICROS = TimeUnit.MICROSECONDS.convert(TOLERANCE);

    private record Reading(long offset, long at) {}

    private final LongSupplier nanos;
    private final Map<UUID, Reading> readings = new HashMap<>();
    private boolean set;
    private long offset;
    private long asked;

    /** A clock that has heard nothing yet, and measures elapsed time with this source. */
    public NodeClocks(LongSupplier nanos) {
        this.nanos = nanos;
        this.asked = elapsed();
    }

    /** The time since some fixed moment, to be passed to {@link #heard} when the answer has come. */
    public long elapsed() {
        return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong());
    }

    /** Takes notice of what a node told in its answer to a request that was sent at this elapsed time. */
    public synchronized void heard(UUID node, Instant told, long sent) {
        long received = elapsed();
        if (received - sent <= SLOW_MICROS) {
            readings.put(node, new Reading(Codes.micros(told) - received, received));
            agree(received);
        }
    }

    private void agree(long now) {
        List<Long> offsets = readings.values().stream()
                .filter(reading -> now - reading.at() <= COUNTED_MICROS)
                .map(Reading::offset)
                .sorted()
                .toList();
        int first = 0;
        int most = 0;
        for (int from = 0, until = 0; from < offsets.size(); from++) {
            while (until < offsets.size() && offsets.get(until) - offsets.get(from) <= TOLERANCE_MICROS) {
                until++;
            }
            if (until - from > most) {
                most = until - from;
                first = from;
            }
        }
        if (2 * most > offsets.size()) {
            offset = offsets.get(first + (most - 1) / 2);
            set = true;
        }
    }

    /** How far the clocks of the nodes are apart, as far as they were heard. */
    public synchronized Duration spread() {
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        for (Reading reading : readings.values()) {
            lowest = Math.min(lowest, reading.offset());
            highest = Math.max(highest, reading.offset());
        }
        return readings.isEmpty() ? Duration.ZERO : Duration.of(highest - lowest, java.time.temporal.ChronoUnit.MICROS);
    }

    /** Whether it is time to ask the nodes again; says so to one caller. */
    synchronized boolean isTimeToAsk() {
        long now = elapsed();
        if (now - asked < FRESH_MICROS) {
            return false;
        }
        asked = now;
        return true;
    }

    /** Whether {@link #now} is known. */
    public synchronized boolean isSet() {
        return set;
    }

    /** The cluster's time: what is written as the time of a change. */
    public synchronized Instant now() {
        if (!set) {
            throw new IllegalStateException("the nodes have not told their time yet");
        }
        return Codes.instant(elapsed() + offset);
    }

    /** The moment by which may be decided that time has run out, on a record that a node brought with this time of its own. */
    Instant decisive(Instant told) {
        Instant now = now();
        return told.isBefore(now) ? told : now;
    }
}
