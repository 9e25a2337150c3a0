package dev.semel.dynamodb.table;

import dev.semel.items.Codes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock of the service: what its answers say in their {@code Date} header, carried on by the time that has passed in this
 * process since. The wall clock of this machine is never read.
 *
 * <ol>
 *   <li>An answer with the date {@code D} shows that the service's time was at least {@code D} when it arrived. The highest of
 *       these bounds is the estimate; it is never ahead of the service, and behind it by at most a second and a round trip.
 *   <li>Only the bounds of the last two minutes with answers count, so that the drift of this machine's oscillator stays small.
 *   <li>An answer that contradicts the estimate by more than {@link #TOLERANCE} does not move it. When
 *       {@link #CONFIRMATIONS} answers in a row contradict it and agree with each other, they become the estimate: the machine
 *       was suspended, or the service's clock was set.
 *   <li>A decision that time has run out uses {@link Moment#decisive}: not later than the estimate, and not later than the
 *       answer that brought the record. Neither one wrong answer nor a wrong estimate lets a lease or a retention end early.
 * </ol>
 */
public final class ServiceClock {

    /** How far front ends of the service may be apart. Amazon's are within milliseconds; more is a fault. */
    public static final Duration TOLERANCE = Duration.ofSeconds(5);

    static final int CONFIRMATIONS = 3;

    /** An oscillator that is wrong by 100 parts per million gains 6 ms in this time. */
    private static final long WINDOW = TimeUnit.MINUTES.toMicros(1);

    /** The resolution of a {@code Date} header. */
    private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

    private static final long TOLERANCE_MICROS = TimeUnit.MICROSECONDS.convert(TOLERANCE);

    private final LongSupplier nanos;
    private final List<Long> contradictions = new ArrayList<>();
    private boolean set;
    private long windowStart;
    private long offset;
    private long offsetBefore;

    /** A clock that has heard nothing yet, and measures elapsed time with this source. */
    public ServiceClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** When an answer came: what it says, and what may be decided by it. */
    public record Moment(Instant date, Instant decisive) {}

    /** The time since some fixed moment, to be passed to {@link #heard} when the answer has come. */
    public long elapsed() {
        return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong());
    }

    /** Takes notice of an answer with this date, to a request that was sent at this elapsed time. */
    public synchronized Moment heard(Instant date, long sent) {
        long received = elapsed();
        long told = Codes.micros(date);
        long lowest = told - received;
        long highest = told + SECOND - sent;
        long estimate = Math.max(offset, offsetBefore);
        if (!set || lowest > estimate + TOLERANCE_MICROS || highest < estimate - TOLERANCE_MICROS) {
            contradicted(lowest, received);
        } else {
            contradictions.clear();
            accept(lowest, received);
        }
        long now = received + Math.max(offset, offsetBefore);
        return new Moment(date, Codes.instant(set ? Math.min(now, told + SECOND) : told));
    }

    private void accept(long lowest, long received) {
        if (received - windowStart > WINDOW) {
            offsetBefore = offset;
            offset = lowest;
            windowStart = received;
        } else {
            offset = Math.max(offset, lowest);
        }
    }

    private void contradicted(long lowest, long received) {
        contradictions.add(lowest);
        if (Collections.max(contradictions) - Collections.min(contradictions) > TOLERANCE_MICROS) {
            contradictions.clear();
            contradictions.add(lowest);
        }
        if (contradictions.size() == CONFIRMATIONS) {
            offset = Collections.min(contradictions);
            offsetBefore = offset;
            windowStart = received;
            set = true;
            contradictions.clear();
        }
    }

    /** Whether enough answers have agreed for {@link #now} to be known. */
    public synchronized boolean isSet() {
        return set;
    }

    /** The service's time: what is written as the time of a change. */
    public synchronized Instant now() {
        if (!set) {
            throw new IllegalStateException("the service has not told its time yet");
        }
        return Codes.instant(elapsed() + Math.max(offset, offsetBefore));
    }
}
