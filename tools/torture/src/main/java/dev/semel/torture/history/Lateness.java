package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An attempt that had an effect after its record had become unknown.
 *
 * @param by how long after
 */
record Lateness(long fence, Duration by) {

    private static Map<Long, Instant> unknownSince(KeyHistory key) {
        Map<Long, Instant> since = new HashMap<>();
        for (Changed change : key.changes()) {
            if (change.to().state() == State.UNKNOWN) {
                since.putIfAbsent(change.to().fence(), change.at());
            }
        }
        return since;
    }

    /** The latest of a key; empty when none was late. */
    static Optional<Lateness> of(KeyHistory key) {
        Map<Long, Instant> since = unknownSince(key);
        return key.requests()
                .filter(event -> since.containsKey(event.request().fence()))
                .map(event ->
                        new Lateness(event.request().fence(), Duration.between(unknown(since, event), event.at())))
                .filter(late -> !late.by().isNegative())
                .max(Comparator.comparing(Lateness::by));
    }

    private static Instant unknown(Map<Long, Instant> since, OfRequest event) {
        return since.getOrDefault(event.request().fence(), Instant.MAX);
    }

    /**
     * How many attempts went on after their record had become unknown: they sent their request or answered, or their
     * process was stopped meanwhile and woke up.
     */
    static int wakeUps(KeyHistory key, Outages outages) {
        Map<Long, Instant> since = unknownSince(key);
        Set<Long> late = new HashSet<>();
        since.forEach((fence, at) -> {
            if (outages.isStopped(key.identity(), at)) {
                late.add(fence);
            }
        });
        key.changes().stream()
                .filter(Changed::isLateAnswer)
                .forEach(change -> late.add(change.to().fence()));
        key.requests()
                .filter(LedgerEvent.Arrived.class::isInstance)
                .filter(event -> since.containsKey(event.request().fence()))
                .filter(event -> event.at().isAfter(unknown(since, event)))
                .forEach(event -> late.add(event.request().fence()));
        return late.size();
    }
}
