package dev.semel.memory;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.Change;
import dev.semel.spi.Steps;
import dev.semel.spi.StoredRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record whose first attempt has completed it, as nearly every record ends.
 *
 * <p>Its history, and most of its times, say the same once more. Kept in full they make half of all the objects that a
 * store in memory consists of, and every collection of garbage pays for each.
 */
final class CompletedAtOnce implements Kept {

    private final Identity identity;
    private final String operation;
    private final String fingerprint;
    private final String holder;
    private final byte[] response;
    private final boolean reexecutable;
    private final long fence;
    private final long createdNanos;
    private final long updatedNanos;
    private final long expiresNanos;

    private CompletedAtOnce(StoredRecord record, Response response, Instant expiresAt) {
        identity = record.identity();
        operation = record.operation();
        fingerprint = record.fingerprint().value();
        holder = record.holder();
        this.response = response.bytes();
        reexecutable = record.reexecutable();
        fence = record.fence();
        createdNanos = nanosOf(record.times().createdAt());
        updatedNanos = nanosOf(record.times().updatedAt());
        expiresNanos = nanosOf(expiresAt);
    }

    /** The short form, unless it would say less than the full one. */
    static @Nullable Kept of(Full full) {
        StoredRecord record = full.record();
        Response response = record.response();
        Instant expiresAt = record.times().expiresAt();
        if (record.state() != State.COMPLETED
                || response == null
                || expiresAt == null
                || full.history().size() != 2) {
            return null;
        }
        CompletedAtOnce compact;
        try {
            compact = new CompletedAtOnce(record, response, expiresAt);
        } catch (ArithmeticException e) {
            // A clock that counts centuries.
            return null;
        }
        return compact.record().equals(record) && compact.history().equals(full.history()) ? compact : null;
    }

    private static long nanosOf(Instant time) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, time);
    }

    private static Instant instant(long nanos) {
        return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public StoredRecord record() {
        Instant created = instant(createdNanos);
        Instant updated = instant(updatedNanos);
        return new StoredRecord(
                identity,
                operation,
                new Fingerprint(fingerprint),
                State.COMPLETED,
                fence,
                1,
                reexecutable,
                holder,
                new StoredRecord.Times(updated, created, updated, created, null, null, instant(expiresNanos)),
                Response.of(response),
                null,
                null,
                Steps.NONE,
                null);
    }

    @Override
    public List<AuditEntry> history() {
        Instant granted = instant(createdNanos);
        Instant settled = instant(updatedNanos);
        return List.of(
                new AuditEntry(identity, 1, granted, Change.GRANTED, fence, null, State.IN_PROGRESS, holder, null),
                new AuditEntry(
                        identity, 2, settled, Change.SETTLED, fence, State.IN_PROGRESS, State.COMPLETED, holder, null));
    }
}
