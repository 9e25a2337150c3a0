package dev.semel.cache;

import dev.semel.engine.NearCache;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An entry and its expiry, in elapsed time of this cache. */
record Kept(NearCache.Entry entry, long untilNanos) {

    /** Half the range of a {@code long}: times this far apart can still be compared. */
    private static final long MAX_NANOS = Long.MAX_VALUE >> 1;

    /** A duration in nanoseconds, at most some 146 years. */
    static long bounded(Duration length) {
        return Math.min(TimeUnit.NANOSECONDS.convert(length), MAX_NANOS);
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - untilNanos >= 0;
    }
}
