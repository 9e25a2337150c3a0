package dev.semel.cassandra.table;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.items.AuditBytes;
import dev.semel.items.Codes;
import dev.semel.items.Item;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a row that are bytes. {@code record} has the record without response, steps and audit, or what is left of a
 * deleted one; {@code contents} the response of a completed record, the steps of any other; {@code audit} the entries, each after
 * its length. A row is always written whole, so that no column needs a tombstone of its own.
 */
final class RowBytes {

    private static final byte FORMAT = 1;
    private static final byte RECORD = 1;
    private static final byte REMAINS = 2;

    /** Stands for a moment that there is not. */
    private static final long NONE = Long.MIN_VALUE;

    private RowBytes() {}

    /** The column {@code record}. */
    static ByteBuffer record(Item item) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            StoredRecord record = item.record();
            if (record == null) {
                Item.Remains remains = Objects.requireNonNull(item.remains());
                out.writeByte(REMAINS);
                write(out, remains.deletedAt());
                write(out, remains.until());
            } else {
                out.writeByte(RECORD);
                write(out, record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void write(DataOutputStream out, StoredRecord record) throws IOException {
        write(out, record.operation());
        write(out, record.fingerprint().value());
        out.writeByte(Codes.code(record.state()));
        out.writeInt(record.attempts());
        out.writeBoolean(record.reexecutable());
        write(out, record.holder());
        Times times = record.times();
        write(out, times.createdAt());
        write(out, times.updatedAt());
        write(out, times.claimedAt());
        write(out, times.doubtSince());
        write(out, times.lockedUntil());
        write(out, times.expiresAt());
        write(out, record.reason());
        write(out, record.evidence() == null ? null : record.evidence().source());
        write(out, record.evidence() == null ? null : record.evidence().detail());
        Reconciling reconciling = record.reconciling();
        write(out, reconciling == null ? null : reconciling.since());
        out.writeInt(reconciling == null ? 0 : reconciling.tries());
        write(out, reconciling == null ? null : reconciling.nextTryAt());
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text == null ? -1 : bytes.length);
        out.write(bytes);
    }

    private static void write(DataOutputStream out, @Nullable Instant moment) throws IOException {
        out.writeLong(moment == null ? NONE : Codes.microsUp(moment));
    }

    /** The column {@code contents}. */
    static ByteBuffer contents(Item item) {
        StoredRecord record = item.record();
        if (record == null) {
            return ByteBuffer.allocate(0);
        }
        return ByteBuffer.wrap(
                record.response() == null
                        ? record.steps().bytes()
                        : record.response().bytes());
    }

    /** The column {@code audit}. */
    static ByteBuffer audit(Item item) {
        int length = item.audit().stream()
                .mapToInt(entry -> Integer.BYTES + entry.bytes().length)
                .sum();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        item.audit().forEach(entry -> bytes.putInt(entry.bytes().length).put(entry.bytes()));
        return bytes.flip();
    }

    /** The entries of the column {@code audit}. */
    static List<AuditBytes> audit(ByteBuffer audit) {
        List<AuditBytes> entries = new ArrayList<>();
        ByteBuffer rest = audit.duplicate();
        while (rest.hasRemaining()) {
            byte[] entry = new byte[rest.getInt()];
            rest.get(entry);
            entries.add(new AuditBytes(entry));
        }
        return entries;
    }

    /** What the column {@code record} says: a record, or what is left of a deleted one. */
    record Content(@Nullable StoredRecord record, Item.@Nullable Remains remains) {}

    /** Reads the column {@code record}; a list that has not read {@code contents} passes none. */
    static Content content(Identity identity, long fence, ByteBuffer record, byte[] contents) {
        byte[] bytes = bytes(record);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORMAT) {
                throw new IllegalStateException("its format is of a newer release of Semel");
            }
            return in.readByte() == REMAINS
                    ? new Content(null, new Item.Remains(required(in), moment(in)))
                    : new Content(record(identity, fence, in, contents), null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StoredRecord record(Identity identity, long fence, DataInputStream in, byte[] contents)
            throws IOException {
        String operation = need(in);
        Fingerprint fingerprint = new Fingerprint(need(in));
        State state = Codes.state(in.readByte());
        int attempts = in.readInt();
        boolean reexecutable = in.readBoolean();
        String holder = need(in);
        Instant created = required(in);
        Instant updated = required(in);
        Times times = new Times(updated, created, updated, required(in), moment(in), moment(in), moment(in));
        String reason = text(in);
        String source = text(in);
        String detail = text(in);
        Instant since = moment(in);
        int tries = in.readInt();
        Instant nextTry = moment(in);
        boolean completed = state == State.COMPLETED;
        return new StoredRecord(
                identity,
                operation,
                fingerprint,
                state,
                fence,
                attempts,
                reexecutable,
                holder,
                times,
                completed ? Response.of(contents) : null,
                reason,
                source == null || detail == null ? null : new Evidence(source, detail),
                completed ? Steps.NONE : Steps.of(contents),
                since == null ? null : new Reconciling(since, tries, nextTry));
    }

    private static String need(DataInputStream in) throws IOException {
        return Objects.requireNonNull(text(in));
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static Instant required(DataInputStream in) throws IOException {
        return Objects.requireNonNull(moment(in));
    }

    private static @Nullable Instant moment(DataInputStream in) throws IOException {
        long micros = in.readLong();
        return micros == NONE ? null : Codes.instant(micros);
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
