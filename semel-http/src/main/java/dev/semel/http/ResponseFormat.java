package dev.semel.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored form of a response.
 *
 * <ol>
 *   <li>one byte: the version, 1
 *   <li>one byte: flags; 1 means that the body was not retained
 *   <li>two bytes: the status
 *   <li>the number of header lines, then for each the length and the UTF-8 bytes of its name and of its value
 *   <li>the length of the body, and the body; nothing follows
 * </ol>
 *
 * <p>Numbers and lengths have seven bits to a byte, the lowest first, and the eighth bit where another byte follows.
 */
final class ResponseFormat {

    private static final int VERSION = 1;
    private static final int NOT_RETAINED = 1;

    private ResponseFormat() {}

    static byte[] write(RecordedResponse response) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(response.body().size() + 256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeByte(response.retained() ? 0 : NOT_RETAINED);
            out.writeShort(response.status());
            writeNumber(out, response.headers().lines().size());
            for (Headers.Line line : response.headers()) {
                writeBytes(out, line.name().getBytes(StandardCharsets.UTF_8));
                writeBytes(out, line.value().getBytes(StandardCharsets.UTF_8));
            }
            writeBytes(out, response.body().bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Optional<RecordedResponse> read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readUnsignedByte() != VERSION) {
                return Optional.empty();
            }
            int flags = in.readUnsignedByte();
            int status = in.readUnsignedShort();
            int count = readNumber(in);
            List<Headers.Line> lines = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                lines.add(new Headers.Line(readText(in), readText(in)));
            }
            Body body = Body.of(readBytes(in));
            if (in.available() > 0 || (flags & ~NOT_RETAINED) != 0) {
                return Optional.empty();
            }
            return Optional.of(new RecordedResponse(status, new Headers(lines), body, (flags & NOT_RETAINED) == 0));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        writeNumber(out, bytes.length);
        out.write(bytes);
    }

    private static void writeNumber(DataOutputStream out, int number) throws IOException {
        int rest = number;
        while (rest > 0x7F) {
            out.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Never allocates more than is there, whatever the length claims. */
    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = readNumber(in);
        if (length > in.available()) {
            throw new IOException("a length of " + length + " exceeds what is there");
        }
        return in.readNBytes(length);
    }

    private static int readNumber(DataInputStream in) throws IOException {
        int number = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            int b = in.readUnsignedByte();
            number |= (b & 0x7F) << shift;
            if (b <= 0x7F) {
                if (number < 0) {
                    break;
                }
                return number;
            }
        }
        throw new IOException("a number does not fit");
    }
}
