package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.spi.StoredRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes that nobody knows, in the order of their scopes and keys.
 *
 * @param next the parameters that give the next page; absent on the last one
 */
record UnknownPage(List<Row> unknown, @Nullable Next next) {

    /**
     * One of them, with its key: whoever decides about it has to name it.
     *
     * @param nextTryAt when somebody asks again; absent when it waits for a person
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
            @Nullable String reason) {

        static Row of(StoredRecord record) {
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
                    record.reason());
        }
    }

    /** Where the next page begins. */
    record Next(String afterScope, String afterKey) {}

    /** @param found one more than the limit, if there are so many */
    static UnknownPage of(List<StoredRecord> found, int limit) {
        List<StoredRecord> shown = found.subList(0, Math.min(limit, found.size()));
        Next next = null;
        if (found.size() > limit) {
            Identity last = shown.get(limit - 1).identity();
            next = new Next(last.scope().value(), last.key().value());
        }
        return new UnknownPage(shown.stream().map(Row::of).toList(), next);
    }
}
