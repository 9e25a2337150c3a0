package dev.semel.engine;

import dev.semel.Scope;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many mismatches are explained to each scope: a few at once, and then one in a while. It keeps a caller from finding out by
 * trying what an earlier request of the same scope contained. The process counts for itself, by elapsed time.
 */
final class ExplanationLimit {

    /** A person who debugs a client needs a few; to try out four digits with this takes most of a day. */
    private static final int AT_ONCE = 10;

    private static final long NANOS_EACH = Duration.ofSeconds(6).toNanos();

    /** Of more scopes, those are forgotten that were not explained anything for the longest time. */
    private static final int MOST_SCOPES = 4096;

    private final Timer timer;

    /** For each scope the moment at which all that it has used up will be given back. */
    private final Map<Scope, Long> fullAgainNanos = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Scope, Long> eldest) {
            return size() > MOST_SCOPES;
        }
    };

    ExplanationLimit(Timer timer) {
        this.timer = timer;
    }

    /** Whether the scope would get an explanation now. */
    synchronized boolean hasLeft(Scope scope) {
        return usedNanos(scope, timer.nanos()) <= (AT_ONCE - 1) * NANOS_EACH;
    }

    /** Takes one explanation, if the scope has one left. */
    synchronized boolean tryTake(Scope scope) {
        long now = timer.nanos();
        long used = usedNanos(scope, now);
        if (used > (AT_ONCE - 1) * NANOS_EACH) {
            return false;
        }
        fullAgainNanos.put(scope, now + used + NANOS_EACH);
        return true;
    }

    private long usedNanos(Scope scope, long now) {
        Long fullAgain = fullAgainNanos.get(scope);
        return fullAgain == null ? 0 : Math.max(0, fullAgain - now);
    }
}
