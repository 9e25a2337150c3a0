package dev.semel.cache;

import dev.semel.engine.NearCache;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An entry, and until when this cache may give it out, by the cache's own sense of elapsed time. */
record Kept(NearCache.Entry entry, long untilNanos) {

    /** Half of what a {@code long} can tell apart: moments this far from each other still compare. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE >> 1;

    /** A length of time in nanoseconds, or the longest that makes a difference, some 146 years. */
    static long bounded(Duration length) {
        return Math.min(TimeUnit.NANOSECONDS.convert(length), LONGEST_NANOS);
    }

    boolean isOver(long nowNanos) {
        return nowNanos - untilNanos >= 0;
    }
}
