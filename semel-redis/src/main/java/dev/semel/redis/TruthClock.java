package dev.semel.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of the time by the truth's clock, from its answers and from what has elapsed since: bounds, never more.
 *
 * <ol>
 *   <li>The truth looked at its clock between question and answer. So its present is at most what it said plus the time since
 *       the question, and at least what it said plus the time since the answer.
 *   <li>Elapsed time is measured by another clock than the truth's; the bounds move apart by as much as two clocks may that
 *       are kept right.
 *   <li>An answer counts if it is certainly newer than the last that counted, or if by it the present is later. So a clock that
 *       was set forward is noticed with the first answer, whatever the order in which answers arrive.
 * </ol>
 */
final class TruthClock {

    /** NTP lets a clock run too fast or too slow by at most 500 millionths; there are two of them. */
    private static final long DRIFT_DIVISOR = 1000;

    private record Heard(long askedNanos, long answeredNanos, Instant asOf) {}

    private final LongSupplier nanos;
    private final AtomicReference<@Nullable Heard> last = new AtomicReference<>();

    TruthClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A moment, to be named when the answer to what is asked now has come. */
    long asking() {
        return nanos.getAsLong();
    }

    /** The truth has said how late it was, asked at this moment. */
    void heard(long askedNanos, Instant asOf) {
        Heard heard = new Heard(askedNanos, nanos.getAsLong(), asOf);
        last.accumulateAndGet(heard, TruthClock::counting);
    }

    private static @Nullable Heard counting(@Nullable Heard before, @Nullable Heard heard) {
        if (before == null || heard == null) {
            return heard;
        }
        boolean newer = heard.askedNanos() - before.answeredNanos() >= 0;
        return newer || latest(heard, heard.answeredNanos()).isAfter(latest(before, heard.answeredNanos()))
                ? heard
                : before;
    }

    /** It is not later than this; null when nobody knows. */
    @Nullable
    Instant latest() {
        Heard heard = last.get();
        return heard == null ? null : latest(heard, nanos.getAsLong());
    }

    private static Instant latest(Heard heard, long nowNanos) {
        long elapsed = nowNanos - heard.askedNanos();
        return heard.asOf().plusNanos(elapsed + drift(elapsed));
    }

    /** It was at least this late at a moment; null when nobody knows. */
    @Nullable
    Instant earliest(long atNanos) {
        Heard heard = last.get();
        if (heard == null) {
            return null;
        }
        long elapsed = atNanos - heard.answeredNanos();
        return heard.asOf().plusNanos(elapsed - drift(elapsed));
    }

    private static long drift(long elapsedNanos) {
        return Math.abs(elapsedNanos) / DRIFT_DIVISOR;
    }

    /** How long it certainly is until then; negative when it may be past. */
    @Nullable
    Duration until(Instant end) {
        Instant latest = latest();
        return latest == null ? null : Duration.between(latest, end);
    }
}
