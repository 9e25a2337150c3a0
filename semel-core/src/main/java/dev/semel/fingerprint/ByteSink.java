package dev.semel.fingerprint;

import java.util.Arrays;

/** A growing byte array whose finished stretches can be read back and rewritten. */
final class ByteSink {

    private byte[] bytes;
    private int size;

    ByteSink(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    int size() {
        return size;
    }

    ByteSink write(int b) {
        if (size == bytes.length) {
            reserve(1);
        }
        bytes[size++] = (byte) b;
        return this;
    }

    ByteSink write(byte[] source, int from, int length) {
        if (length > bytes.length - size) {
            reserve(length);
        }
        System.arraycopy(source, from, bytes, size, length);
        size += length;
        return this;
    }

    /** Writes a length in four bytes. */
    ByteSink writeLength(int length) {
        return write(length >>> 24).write(length >>> 16).write(length >>> 8).write(length);
    }

    /** Writes characters below U+0080. */
    ByteSink writeAscii(String text) {
        reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
        return this;
    }

    /** Writes a code point other than a surrogate. */
    ByteSink writeUtf8(int point) {
        if (point < 0x80) {
            return write(point);
        }
        if (point < 0x800) {
            return write(0xC0 | (point >> 6)).writeContinuation(point);
        }
        if (point < 0x10000) {
            return write(0xE0 | (point >> 12)).writeContinuation(point >> 6).writeContinuation(point);
        }
        return write(0xF0 | (point >> 18))
                .writeContinuation(point >> 12)
                .writeContinuation(point >> 6)
                .writeContinuation(point);
    }

    private ByteSink writeContinuation(int bits) {
        return write(0x80 | (bits & 0x3F));
    }

    /** The array that is written to, with room at its end; another one after the next write. */
    byte[] array() {
        return bytes;
    }

    /** Copies what was written from one position up to another. */
    void copyTo(byte[] target, int from, int to) {
        System.arraycopy(bytes, from, target, 0, to - from);
    }

    /** A copy of what was written from one position up to another. */
    byte[] copy(int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** Forgets what was written from this position on. */
    void truncate(int newSize) {
        size = newSize;
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
        }
    }
}
