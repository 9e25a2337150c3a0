package dev.semel.fingerprint;

import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A reader of compressed bodies that are in memory.
 *
 * <p>It takes exactly one stream that fills the whole body: Java's own streams read several gzip members as one, and
 * ignore what stands behind them. It gives up as soon as the result is too long, so that a body made to explode costs a
 * client's request no more memory and time than any other.
 */
final class Compressed {

    /** JSON made for machines shrinks to a tenth or a twentieth; deflate can do a thousandth, which attacks use. */
    private static final long MOST_GROWTH = 100;

    /** Short bodies may grow more: what they grow to is still short. */
    private static final long HARMLESS_BYTES = 64 << 10;

    private static final int CHUNK = 8 << 10;

    private static final int GZIP_HEADER = 10;
    private static final int GZIP_TRAILER = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int RESERVED_FLAGS = 0xE0;

    private Compressed() {}

    /** The content of one gzip member (RFC 1952) whose checksum and length are right. */
    static Optional<byte[]> gzip(byte[] body, int mostBytes) {
        int start = endOfGzipHeader(body);
        if (start < 0) {
            return Optional.empty();
        }
        return inflated(new Inflater(true), body, start, GZIP_TRAILER, mostBytes)
                .filter(content -> trailer(body, GZIP_TRAILER) == crc(content, content.length)
                        && trailer(body, GZIP_TRAILER / 2) == content.length);
    }

    /** The content of one zlib stream (RFC 1950), which is what {@code deflate} means (RFC 9110, section 8.4.1.2). */
    static Optional<byte[]> zlib(byte[] body, int mostBytes) {
        return inflated(new Inflater(), body, 0, 0, mostBytes);
    }

    /** @param behind how many bytes must be left when the stream ends */
    private static Optional<byte[]> inflated(Inflater inflater, byte[] body, int start, int behind, int mostBytes) {
        long most = Math.min(mostBytes, Math.max(HARMLESS_BYTES, MOST_GROWTH * body.length));
        try {
            inflater.setInput(body, start, body.length - start);
            ByteSink content = new ByteSink((int) Math.min(most, 4L * body.length));
            byte[] chunk = new byte[CHUNK];
            while (!inflater.finished()) {
                int length = inflater.inflate(chunk);
                boolean stuck = length == 0 && !inflater.finished();
                if (stuck || length > most - content.size()) {
                    return Optional.empty();
                }
                content.write(chunk, 0, length);
            }
            return inflater.getRemaining() == behind ? Optional.of(content.copy(0, content.size())) : Optional.empty();
        } catch (DataFormatException e) {
            return Optional.empty();
        } finally {
            inflater.end();
        }
    }

    /** Where the header of a gzip member ends; -1 where there is none. */
    private static int endOfGzipHeader(byte[] body) {
        if (body.length < GZIP_HEADER + GZIP_TRAILER
                || (body[0] & 0xFF) != 0x1F
                || (body[1] & 0xFF) != 0x8B
                || body[2] != 8
                || (body[3] & RESERVED_FLAGS) != 0) {
            return -1;
        }
        int flags = body[3];
        int at = GZIP_HEADER;
        if ((flags & FLAG_EXTRA) != 0) {
            at += 2 + (body[at] & 0xFF) + ((body[at + 1] & 0xFF) << 8);
        }
        at = (flags & FLAG_NAME) == 0 ? at : afterZero(body, at);
        at = (flags & FLAG_COMMENT) == 0 ? at : afterZero(body, at);
        if ((flags & FLAG_HEADER_CRC) == 0) {
            return at <= body.length ? at : -1;
        }
        return at + 2 <= body.length && (crc(body, at) & 0xFFFF) == number(body, at, 2) ? at + 2 : -1;
    }

    /** The position behind the next zero byte; behind the end where there is none. */
    private static int afterZero(byte[] body, int from) {
        int at = from;
        while (at < body.length && body[at] != 0) {
            at++;
        }
        return at + 1;
    }

    /** The four bytes that begin this far before the end. */
    private static int trailer(byte[] body, int beforeEnd) {
        return number(body, body.length - beforeEnd, Integer.BYTES);
    }

    /** An unsigned number, lowest byte first. */
    private static int number(byte[] body, int at, int bytes) {
        int number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (body[at + i] & 0xFF) << (8 * i);
        }
        return number;
    }

    private static int crc(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
