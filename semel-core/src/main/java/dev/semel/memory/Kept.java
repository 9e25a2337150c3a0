package dev.semel.memory;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record and what happened to it, as {@link MemoryStore} holds them.
 *
 * <p>A store in memory soon holds hundreds of thousands of records, and the garbage collector copies each of them at least
 * twice before it leaves them alone. So what almost every record ends as, completed by its first attempt, is held
 * {@link Packed} in one array, and its history is derived.
 */
sealed interface Kept {

    Identity identity();

    StoredRecord record();

    List<AuditEntry> history();

    /** What is held after a change that writes this record. */
    static Kept after(@Nullable Kept before, @Nullable StoredRecord seen, StoredRecord written, Note note) {
        List<AuditEntry> past = before == null ? List.of() : before.history();
        if (Packed.fits(past, written, note)) {
            return Packed.of(written);
        }
        AuditEntry[] history = past.toArray(new AuditEntry[past.size() + 1]);
        history[past.size()] = AuditEntry.of(past.size() + 1L, seen, written, note);
        return new Whole(written, List.of(history));
    }

    /** What is held after a write that is no change worth an entry. */
    static Kept rewritten(Kept before, StoredRecord written) {
        return new Whole(written, before.history());
    }

    /** Any record. */
    record Whole(StoredRecord record, List<AuditEntry> history) implements Kept {

        @Override
        public Identity identity() {
            return record.identity();
        }
    }

    /** A record that its first attempt has completed, with nothing noteworthy on the way. */
    final class Packed implements Kept {

        private static final int INSTANT_BYTES = Long.BYTES + Integer.BYTES;
        private static final int FIXED_BYTES = Long.BYTES + 1 + 3 * INSTANT_BYTES + 2 * Integer.BYTES;

        private final Identity identity;
        private final String operation;
        private final byte[] bytes;

        private Packed(Identity identity, String operation, byte[] bytes) {
            this.identity = identity;
            this.operation = operation;
            this.bytes = bytes;
        }

        /** Whether record and history can be told from what is packed. */
        private static boolean fits(List<AuditEntry> past, StoredRecord written, Note note) {
            if (past.size() != 1
                    || written.state() != State.COMPLETED
                    || note.change() != Change.SETTLED
                    || written.attempts() != 1) {
                return false;
            }
            AuditEntry granted = past.get(0);
            Times times = written.times();
            String who = Holder.withoutOutline(written.holder());
            return granted.change() == Change.GRANTED
                    && granted.from() == null
                    && granted.why() == null
                    && granted.fence() == written.fence()
                    && granted.who().equals(who)
                    && granted.at().equals(times.createdAt())
                    && note.who().equals(who)
                    && note.why() == null
                    && times.claimedAt().equals(times.createdAt())
                    && times.doubtSince() == null
                    && times.lockedUntil() == null
                    && times.expiresAt() != null
                    && written.response() != null
                    && written.reason() == null
                    && written.evidence() == null
                    && written.steps().isEmpty()
                    && written.reconciling() == null;
        }

        private static Packed of(StoredRecord record) {
            byte[] fingerprint = record.fingerprint().value().getBytes(StandardCharsets.UTF_8);
            byte[] holder = record.holder().getBytes(StandardCharsets.UTF_8);
            byte[] response = required(record.response()).bytes();
            ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + fingerprint.length + holder.length + response.length)
                    .putLong(record.fence())
                    .put((byte) (record.reexecutable() ? 1 : 0));
            put(out, record.times().createdAt());
            put(out, record.times().updatedAt());
            put(out, required(record.times().expiresAt()));
            out.putInt(fingerprint.length).put(fingerprint);
            out.putInt(holder.length).put(holder);
            out.put(response);
            return new Packed(record.identity(), record.operation(), out.array());
        }

        private static <T> T required(@Nullable T value) {
            if (value == null) {
                throw new IllegalStateException("a completed record has a response and a time at which it expires");
            }
            return value;
        }

        private static void put(ByteBuffer out, Instant instant) {
            out.putLong(instant.getEpochSecond()).putInt(instant.getNano());
        }

        private static Instant instant(ByteBuffer in) {
            return Instant.ofEpochSecond(in.getLong(), in.getInt());
        }

        private static String text(ByteBuffer in) {
            byte[] text = new byte[in.getInt()];
            in.get(text);
            return new String(text, StandardCharsets.UTF_8);
        }

        @Override
        public Identity identity() {
            return identity;
        }

        @Override
        public StoredRecord record() {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            long fence = in.getLong();
            boolean reexecutable = in.get() != 0;
            Instant created = instant(in);
            Instant updated = instant(in);
            Instant expires = instant(in);
            Fingerprint fingerprint = new Fingerprint(text(in));
            String holder = text(in);
            byte[] response = new byte[in.remaining()];
            in.get(response);
            return new StoredRecord(
                    identity,
                    operation,
                    fingerprint,
                    State.COMPLETED,
                    fence,
                    1,
                    reexecutable,
                    holder,
                    new Times(updated, created, updated, created, null, null, expires),
                    Response.of(response),
                    null,
                    null,
                    Steps.NONE,
                    null);
        }

        @Override
        public List<AuditEntry> history() {
            StoredRecord record = record();
            String who = Holder.withoutOutline(record.holder());
            long fence = record.fence();
            Times times = record.times();
            return List.of(
                    new AuditEntry(
                            identity, 1, times.createdAt(), Change.GRANTED, fence, null, State.IN_PROGRESS, who, null),
                    new AuditEntry(
                            identity,
                            2,
                            times.updatedAt(),
                            Change.SETTLED,
                            fence,
                            State.IN_PROGRESS,
                            State.COMPLETED,
                            who,
                            null));
        }
    }
}
