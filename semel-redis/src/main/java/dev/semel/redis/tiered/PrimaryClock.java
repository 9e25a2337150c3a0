package dev.semel.redis.tiered;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lower and upper bounds of the time by the primary store's clock, from its answers and the time elapsed since.
 *
 * <ol>
 *   <li>The primary store read its clock between request and answer. So its present is at most the time in the answer plus the
 *       time since the request, and at least the time in the answer plus the time since the answer.
 *   <li>Another clock measures the elapsed time; the bounds move apart by the greatest drift between two synchronized clocks.
 *   <li>An answer replaces the last one if it is certainly newer, or if it yields a later present. So a clock that was set
 *       forward takes effect with the first answer, in whatever order answers arrive.
 * </ol>
 */
final class PrimaryClock {

    /** NTP lets a clock run too fast or too slow by at most 500 millionths; there are two clocks. */
    private static final long DRIFT_DIVISOR = 1000;

    private record Reading(long requestNanos, long answerNanos, Instant asOf) {}

    private final LongSupplier nanos;
    private final AtomicReference<@Nullable Reading> last = new AtomicReference<>();

    PrimaryClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns the local time of a request, for {@link #onAnswer}. */
    long requestNanos() {
        return nanos.getAsLong();
    }

    /** Takes the time of an answer to a request that was sent at {@code requestNanos}. */
    void onAnswer(long requestNanos, Instant asOf) {
        Reading reading = new Reading(requestNanos, nanos.getAsLong(), asOf);
        last.accumulateAndGet(reading, PrimaryClock::better);
    }

    private static @Nullable Reading better(@Nullable Reading before, @Nullable Reading reading) {
        if (before == null || reading == null) {
            return reading;
        }
        boolean newer = reading.requestNanos() - before.answerNanos() >= 0;
        return newer || latest(reading, reading.answerNanos()).isAfter(latest(before, reading.answerNanos()))
                ? reading
                : before;
    }

    /** Returns the latest that the present can be; null before the first answer. */
    @Nullable
    Instant latest() {
        Reading reading = last.get();
        return reading == null ? null : latest(reading, nanos.getAsLong());
    }

    private static Instant latest(Reading reading, long nowNanos) {
        long elapsed = nowNanos - reading.requestNanos();
        return reading.asOf().plusNanos(elapsed + drift(elapsed));
    }

    /** Returns the earliest time that it can have been at a local time; null before the first answer. */
    @Nullable
    Instant earliest(long atNanos) {
        Reading reading = last.get();
        if (reading == null) {
            return null;
        }
        long elapsed = atNanos - reading.answerNanos();
        return reading.asOf().plusNanos(elapsed - drift(elapsed));
    }

    private static long drift(long elapsedNanos) {
        return Math.abs(elapsedNanos) / DRIFT_DIVISOR;
    }

    /** Returns the shortest time that can be left until {@code end}; negative when it may be past. */
    @Nullable
    Duration until(Instant end) {
        Instant latest = latest();
        return latest == null ? null : Duration.between(latest, end);
    }
}
