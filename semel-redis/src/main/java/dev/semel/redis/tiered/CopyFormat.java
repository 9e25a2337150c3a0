package dev.semel.redis.tiered;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The binary format of a copy: every field of a completed record but its identity. */
final class CopyFormat {

    /** The first byte; bytes that start with another number are no copy. */
    private static final int FORMAT = 1;

    /** The length of an absent text. */
    private static final int ABSENT = -1;

    private CopyFormat() {}

    /** @throws IllegalArgumentException when the record is not completed */
    static byte[] bytes(StoredRecord record) {
        StoredRecord.Times times = record.times();
        if (record.state() != State.COMPLETED || record.response() == null || times.expiresAt() == null) {
            throw new IllegalArgumentException("only completed records have copies");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeLong(record.fence());
            out.writeInt(record.attempts());
            out.writeBoolean(record.reexecutable());
            write(out, times.expiresAt());
            write(out, times.createdAt());
            write(out, times.updatedAt());
            write(out, times.claimedAt());
            out.writeBoolean(times.doubtSince() != null);
            if (times.doubtSince() != null) {
                write(out, times.doubtSince());
            }
            write(out, record.operation());
            write(out, record.fingerprint().value());
            write(out, record.holder());
            write(out, record.reason());
            Evidence evidence = record.evidence();
            write(out, evidence == null ? null : evidence.source());
            write(out, evidence == null ? null : evidence.detail());
            out.write(record.response().bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Instant time) throws IOException {
        out.writeLong(time.getEpochSecond());
        out.writeInt(time.getNano());
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(ABSENT);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads a record as of its completion; null when the bytes have another format. */
    static @Nullable StoredRecord record(Identity identity, ByteBuffer bytes) {
        if (bytes.get() != FORMAT) {
            return null;
        }
        long fence = bytes.getLong();
        int attempts = bytes.getInt();
        boolean reexecutable = bytes.get() != 0;
        Instant expiresAt = instant(bytes);
        Instant createdAt = instant(bytes);
        Instant updatedAt = instant(bytes);
        Instant claimedAt = instant(bytes);
        Instant doubtSince = bytes.get() == 0 ? null : instant(bytes);
        String operation = text(bytes);
        Fingerprint fingerprint = new Fingerprint(text(bytes));
        String holder = text(bytes);
        String reason = textOrNull(bytes);
        String source = textOrNull(bytes);
        String detail = textOrNull(bytes);
        byte[] response = new byte[bytes.remaining()];
        bytes.get(response);
        return new StoredRecord(
                identity,
                operation,
                fingerprint,
                State.COMPLETED,
                fence,
                attempts,
                reexecutable,
                holder,
                new StoredRecord.Times(updatedAt, createdAt, updatedAt, claimedAt, doubtSince, null, expiresAt),
                Response.of(response),
                reason,
                source == null || detail == null ? null : new Evidence(source, detail),
                Steps.NONE,
                null);
    }

    private static Instant instant(ByteBuffer bytes) {
        return Instant.ofEpochSecond(bytes.getLong(), bytes.getInt());
    }

    private static String text(ByteBuffer bytes) {
        String text = textOrNull(bytes);
        if (text == null) {
            throw new IllegalArgumentException("a text is missing");
        }
        return text;
    }

    private static @Nullable String textOrNull(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length == ABSENT) {
            return null;
        }
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
