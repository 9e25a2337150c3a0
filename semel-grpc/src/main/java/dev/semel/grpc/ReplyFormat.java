package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored form of an answer.
 *
 * <ol>
 *   <li>one byte: {@code G}, which no response of another transport begins with
 *   <li>one byte: the version, 1
 *   <li>one byte: flags; 1 not retained, 2 with a message, 4 with a description
 *   <li>one byte: the code of the status
 *   <li>the description, if there is one
 *   <li>headers, then trailers: the number of entries, and for each its name and value
 *   <li>the message, if there is one; nothing follows
 * </ol>
 *
 * <p>Numbers have four bytes, the highest first; texts and bytes are preceded by their length.
 */
final class ReplyFormat {

    private static final int TRANSPORT = 'G';
    private static final int VERSION = 1;
    private static final int NOT_RETAINED = 1;
    private static final int MESSAGE = 2;
    private static final int DESCRIPTION = 4;

    private ReplyFormat() {}

    static byte[] write(RecordedReply recorded) {
        Reply reply = recorded.reply();
        byte[] message = reply.message();
        String description = reply.status().getDescription();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + (message == null ? 0 : message.length));
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(TRANSPORT);
            out.writeByte(VERSION);
            out.writeByte((recorded.retained() ? 0 : NOT_RETAINED)
                    | (message == null ? 0 : MESSAGE)
                    | (description == null ? 0 : DESCRIPTION));
            out.writeByte(reply.status().getCode().value());
            if (description != null) {
                writeBytes(out, description.getBytes(StandardCharsets.UTF_8));
            }
            writeMetadata(out, reply.headers());
            writeMetadata(out, reply.trailers());
            if (message != null) {
                writeBytes(out, message);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array takes every byte", e);
        }
        return bytes.toByteArray();
    }

    private static void writeMetadata(DataOutputStream out, Metadata metadata) throws IOException {
        List<ReplayMetadata.Entry> entries = ReplayMetadata.entries(metadata);
        out.writeInt(entries.size());
        for (ReplayMetadata.Entry entry : entries) {
            writeBytes(out, entry.name().getBytes(StandardCharsets.UTF_8));
            writeBytes(out, entry.value());
        }
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static Optional<RecordedReply> read(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.get() != TRANSPORT || in.get() != VERSION) {
                return Optional.empty();
            }
            int flags = in.get();
            int code = in.get();
            if ((flags & ~(NOT_RETAINED | MESSAGE | DESCRIPTION)) != 0
                    || code < 0
                    || code >= Status.Code.values().length) {
                return Optional.empty();
            }
            Status status = Status.fromCodeValue(code);
            if ((flags & DESCRIPTION) != 0) {
                status = status.withDescription(readText(in));
            }
            Metadata headers = readMetadata(in);
            Metadata trailers = readMetadata(in);
            byte[] message = (flags & MESSAGE) == 0 ? null : readBytes(in);
            return in.hasRemaining()
                    ? Optional.empty()
                    : Optional.of(new RecordedReply(
                            new Reply(headers, message, status, trailers), (flags & NOT_RETAINED) == 0));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Metadata readMetadata(ByteBuffer in) {
        int count = in.getInt();
        List<ReplayMetadata.Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new ReplayMetadata.Entry(readText(in), readBytes(in)));
        }
        return ReplayMetadata.of(entries);
    }

    private static String readText(ByteBuffer in) {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Never allocates more than is there, whatever the length claims. */
    private static byte[] readBytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
