package dev.semel.redis.record;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.Changes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The binary format of records, as the scripts write it; {@code common.lua} and {@code record.lua} are its other half. */
public final class RecordFormat {

    public static final int FORMAT = 1;

    private static final int REEXECUTABLE = 1;
    private static final int HAS_EVIDENCE = 2;
    private static final int HAS_REASON = 4;

    private static final State[] STATES = {
        State.IN_PROGRESS, State.COMPLETED, State.FAILED_RETRYABLE, State.UNKNOWN, State.EXPIRED
    };

    private static final Change[] CHANGES = {
        Change.GRANTED,
        Change.TAKEN_OVER,
        Change.STEP,
        Change.SETTLED,
        Change.GIVEN_UP,
        Change.REOFFERED,
        Change.RECONCILED,
        Change.RESCHEDULED,
        Change.DEAD_LETTERED,
        Change.REQUEUED,
        Change.EXPIRED,
        Change.VIEWED,
        Change.PROPOSED,
        Change.FORGOTTEN,
        Change.REPLAY_REFUSED
    };

    private RecordFormat() {}

    /** The number that stands for a state. */
    public static int code(State state) {
        return switch (state) {
            case IN_PROGRESS -> 1;
            case COMPLETED -> 2;
            case FAILED_RETRYABLE -> 3;
            case UNKNOWN -> 4;
            case EXPIRED -> 5;
        };
    }

    public static State state(int code) {
        return STATES[code - 1];
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static @Nullable Instant orNull(long micros) {
        return micros == 0 ? null : instant(micros);
    }

    /** Microseconds, rounded up so that no lease and no retention ends early. */
    public static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration.plusNanos(999));
    }

    /** Microseconds since 1970. */
    public static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Reads the record from here to the buffer's end, as of this moment. */
    public static StoredRecord read(Identity identity, ByteBuffer value, Instant now) {
        try {
            return Changes.asOf(stored(identity, value, now), now);
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw damaged(identity, e);
        }
    }

    private static StoreException damaged(Identity identity, RuntimeException cause) {
        return new StoreException(
                "the record of " + identity
                        + " in Redis is damaged: another program has written to its key; semel repair lists such records",
                cause);
    }

    private static StoredRecord stored(Identity identity, ByteBuffer value, Instant now) {
        Header header = new Header(value);
        String operation = text(value, header.operation);
        Fingerprint fingerprint = new Fingerprint(text(value, header.fingerprint));
        String holder = text(value, header.holder);
        String reason = text(value, header.reason);
        String source = text(value, header.source);
        String detail = text(value, header.detail);
        Steps steps = Steps.of(bytes(value, header.steps));
        value.position(value.position() + header.audit);
        byte[] response = bytes(value, header.response);
        if (value.hasRemaining()) {
            throw new IllegalArgumentException("the record is longer than its header says");
        }
        boolean unknown = header.state == State.UNKNOWN;
        boolean open = unknown || header.state == State.IN_PROGRESS;
        return new StoredRecord(
                identity,
                operation,
                fingerprint,
                header.state,
                header.fence,
                header.attempts,
                (header.flags & REEXECUTABLE) != 0,
                holder,
                new StoredRecord.Times(
                        now,
                        instant(header.created),
                        instant(header.updated),
                        instant(header.claimed),
                        orNull(header.doubt),
                        header.state == State.IN_PROGRESS ? instant(header.until) : null,
                        open ? null : instant(header.until)),
                header.state == State.COMPLETED ? Response.of(response) : null,
                (header.flags & HAS_REASON) != 0 ? reason : null,
                (header.flags & HAS_EVIDENCE) != 0 ? new Evidence(source, detail) : null,
                steps,
                unknown
                        ? new StoredRecord.Reconciling(instant(header.since), header.tries, orNull(header.until))
                        : null);
    }

    /** Reads the audit entries of a record, oldest first. */
    public static List<AuditEntry> history(Identity identity, ByteBuffer value) {
        try {
            Header header = new Header(value);
            value.position(value.position()
                    + header.operation
                    + header.fingerprint
                    + header.holder
                    + header.reason
                    + header.source
                    + header.detail
                    + header.steps);
            return entries(identity, value.slice(value.position(), header.audit));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw damaged(identity, e);
        }
    }

    private static List<AuditEntry> entries(Identity identity, ByteBuffer audit) {
        List<AuditEntry> entries = new ArrayList<>();
        String holder = "";
        while (audit.hasRemaining()) {
            Instant at = instant(audit.getLong());
            Change change = CHANGES[audit.get() - 1];
            long fence = audit.getLong();
            int from = audit.get();
            State to = state(audit.get());
            int whoLength = Short.toUnsignedInt(audit.getShort());
            int whyLength = audit.getInt();
            String who = whoLength == 0 ? holder : text(audit, whoLength);
            String why = whyLength == 0 ? null : text(audit, whyLength - 1);
            if (change == Change.GRANTED || change == Change.TAKEN_OVER) {
                holder = who;
            }
            entries.add(new AuditEntry(
                    identity, entries.size() + 1, at, change, fence, from == 0 ? null : state(from), to, who, why));
        }
        return entries;
    }

    /** The fixed-length part of a record, which precedes its texts. */
    private static final class Header {

        private final State state;
        private final int flags;
        private final long fence;
        private final long until;
        private final int attempts;
        private final long created;
        private final long updated;
        private final long claimed;
        private final long doubt;
        private final long since;
        private final int tries;
        private final int operation;
        private final int fingerprint;
        private final int holder;
        private final int reason;
        private final int source;
        private final int detail;
        private final int steps;
        private final int audit;
        private final int response;

        Header(ByteBuffer value) {
            int format = value.get();
            if (format != FORMAT) {
                throw new StoreException("a record in Redis has the format " + format
                        + ", but this release reads only format " + FORMAT + ": use a newer release of Semel");
            }
            state = state(value.get());
            flags = value.get();
            fence = value.getLong();
            until = value.getLong();
            attempts = value.getInt();
            created = value.getLong();
            updated = value.getLong();
            claimed = value.getLong();
            doubt = value.getLong();
            since = value.getLong();
            tries = value.getInt();
            operation = Short.toUnsignedInt(value.getShort());
            fingerprint = Short.toUnsignedInt(value.getShort());
            holder = Short.toUnsignedInt(value.getShort());
            reason = Short.toUnsignedInt(value.getShort());
            source = Short.toUnsignedInt(value.getShort());
            detail = value.getInt();
            steps = value.getInt();
            audit = value.getInt();
            response = value.getInt();
        }
    }

    private static byte[] bytes(ByteBuffer value, int length) {
        byte[] bytes = new byte[length];
        value.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer value, int length) {
        return new String(bytes(value, length), StandardCharsets.UTF_8);
    }
}
