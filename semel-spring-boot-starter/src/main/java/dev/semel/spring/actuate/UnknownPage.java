package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.reconcile.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Unknown outcomes, in the order of their scopes and keys.
 *
 * @param next the parameters that give the next page; absent on the last one
 */
record UnknownPage(List<Row> unknown, @Nullable Next next) {

    /**
     * An unknown outcome, with its key, which is needed to settle it.
     *
     * @param nextTryAt when a reconciler may try again; absent when it waits for a person
     * @param resolver whether this application has a resolver for the operation; another application may have one
     */
    record Row(
            String scope,
            String key,
            String operation,
            long fence,
            @Nullable Instant unknownSince,
            long ageSeconds,
            int tries,
            @Nullable Instant nextTryAt,
            boolean deadLettered,
            boolean resolver,
            @Nullable String reason,
            @Nullable String request) {

        static Row of(StoredRecord record, Predicate<String> attended) {
            StoredRecord.Reconciling reconciling = record.reconciling();
            return new Row(
                    record.identity().scope().value(),
                    record.identity().key().value(),
                    record.operation(),
                    record.fence(),
                    reconciling == null ? null : reconciling.since(),
                    record.unknownFor().toSeconds(),
                    reconciling == null ? 0 : reconciling.tries(),
                    reconciling == null ? null : reconciling.nextTryAt(),
                    record.isDeadLettered(),
                    attended.test(record.operation()),
                    record.reason(),
                    record.request());
        }
    }

    /** Where the next page begins. */
    record Next(String afterScope, String afterKey) {}

    /**
     * A page of these records.
     *
     * @param found up to one more than the limit
     * @param attended whether this application has a resolver for an operation
     */
    static UnknownPage of(List<StoredRecord> found, int limit, Predicate<String> attended) {
        List<StoredRecord> shown = found.subList(0, Math.min(limit, found.size()));
        Next next = null;
        if (found.size() > limit) {
            Identity last = shown.get(limit - 1).identity();
            next = new Next(last.scope().value(), last.key().value());
        }
        return new UnknownPage(
                shown.stream().map(record -> Row.of(record, attended)).toList(), next);
    }
}
