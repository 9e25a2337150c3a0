package dev.semel.http;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored form of a response.
 *
 * <ol>
 *   <li>one byte: the version, 1
 *   <li>one byte: flags; 1 means that the body was not retained, 2 that trailers follow the body
 *   <li>two bytes: the status
 *   <li>the number of header lines, then for each the length and the UTF-8 bytes of its name and of its value
 *   <li>the length of the body, and the body
 *   <li>with trailers: their number, then for each the same as for a header line; nothing follows
 * </ol>
 *
 * <p>Numbers and lengths have seven bits to a byte, the lowest first, and the eighth bit where another byte follows.
 */
final class ResponseFormat {

    private static final int VERSION = 1;
    private static final int NOT_RETAINED = 1;
    private static final int TRAILERS = 2;

    private ResponseFormat() {}

    static byte[] write(RecordedResponse response) {
        List<byte[]> headers = textsOf(response.headers());
        List<byte[]> trailers = textsOf(response.trailers());
        int size = 4 + lengthOf(headers) + lengthOf(response.body().bytes());
        int flags = response.retained() ? 0 : NOT_RETAINED;
        if (!trailers.isEmpty()) {
            size += lengthOf(trailers);
            flags |= TRAILERS;
        }
        ByteBuffer out =
                ByteBuffer.allocate(size).put((byte) VERSION).put((byte) flags).putShort((short) response.status());
        writeLines(out, headers);
        writeBytes(out, response.body().bytes());
        if (!trailers.isEmpty()) {
            writeLines(out, trailers);
        }
        return out.array();
    }

    /** Name and value of each line, one after the other. */
    private static List<byte[]> textsOf(Headers headers) {
        List<byte[]> texts = new ArrayList<>(2 * headers.lines().size());
        for (Headers.Line line : headers) {
            texts.add(line.name().getBytes(StandardCharsets.UTF_8));
            texts.add(line.value().getBytes(StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static int lengthOf(List<byte[]> texts) {
        int length = lengthOfNumber(texts.size() / 2);
        for (byte[] text : texts) {
            length += lengthOf(text);
        }
        return length;
    }

    private static int lengthOf(byte[] bytes) {
        return lengthOfNumber(bytes.length) + bytes.length;
    }

    private static int lengthOfNumber(int number) {
        int length = 1;
        for (int rest = number >>> 7; rest > 0; rest >>>= 7) {
            length++;
        }
        return length;
    }

    static Optional<RecordedResponse> read(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.get() != VERSION) {
                return Optional.empty();
            }
            int flags = in.get();
            int status = Short.toUnsignedInt(in.getShort());
            Headers headers = readLines(in);
            Body body = Body.of(readBytes(in));
            Headers trailers = (flags & TRAILERS) == 0 ? Headers.NONE : readLines(in);
            if (in.hasRemaining() || (flags & ~(NOT_RETAINED | TRAILERS)) != 0) {
                return Optional.empty();
            }
            return Optional.of(new RecordedResponse(status, headers, body, (flags & NOT_RETAINED) == 0, trailers));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Headers readLines(ByteBuffer in) {
        int count = readNumber(in);
        List<Headers.Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(new Headers.Line(readText(in), readText(in)));
        }
        return new Headers(lines);
    }

    private static void writeLines(ByteBuffer out, List<byte[]> texts) {
        writeNumber(out, texts.size() / 2);
        for (byte[] text : texts) {
            writeBytes(out, text);
        }
    }

    private static void writeBytes(ByteBuffer out, byte[] bytes) {
        writeNumber(out, bytes.length);
        out.put(bytes);
    }

    private static void writeNumber(ByteBuffer out, int number) {
        int rest = number;
        while (rest > 0x7F) {
            out.put((byte) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    private static String readText(ByteBuffer in) {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Never allocates more than is there, whatever the length claims. */
    private static byte[] readBytes(ByteBuffer in) {
        int length = readNumber(in);
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static int readNumber(ByteBuffer in) {
        int number = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            int b = in.get() & 0xFF;
            number |= (b & 0x7F) << shift;
            if (b <= 0x7F) {
                if (number < 0) {
                    break;
                }
                return number;
            }
        }
        throw new IllegalArgumentException("a number does not fit");
    }
}
