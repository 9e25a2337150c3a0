package dev.semel.engine;

import dev.semel.Key;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Warns in the log of keys that should not be keys, at most once in {@link #QUIET} for each operation. */
final class PoorKeys {

    /** Often enough to be found in a day's log, and seldom enough to leave room for everything else there. */
    static final Duration QUIET = Duration.ofHours(1);

    /** More than any service has, so that operations that are made out of requests do not fill the memory. */
    private static final int MOST_OPERATIONS = 200;

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Timer timer;
    private final ConcurrentMap<String, Long> warnedNanos = new ConcurrentHashMap<>();

    PoorKeys(Timer timer) {
        this.timer = timer;
    }

    void warn(Event.PoorKey poor, Key stored) {
        if (isDue(poor.operation())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "clients of {0} send poor keys: {1} {2}, and was {3}. A good key is a random UUID, one for each intent."
                            + " key-hygiene says what becomes of poor keys: warn, refuse or ignore. The next warning for {0}"
                            + " comes in {4} h at the earliest; api.idempotency.key_hygiene counts all of them",
                    poor.operation(),
                    stored.redacted(),
                    poor.finding().description(),
                    poor.refused() ? "refused" : "accepted",
                    QUIET.toHours());
        }
    }

    private boolean isDue(String operation) {
        long now = timer.nanos();
        Long last = warnedNanos.get(operation);
        if (last == null) {
            return warnedNanos.size() < MOST_OPERATIONS && warnedNanos.putIfAbsent(operation, now) == null;
        }
        return now - last >= QUIET.toNanos() && warnedNanos.replace(operation, last, now);
    }
}
