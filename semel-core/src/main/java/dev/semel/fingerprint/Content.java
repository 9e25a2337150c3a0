package dev.semel.fingerprint;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of a part, as it enters a digest: bytes, and how to read them.
 *
 * <p>Contents of different kinds are different even when their bytes are the same.
 */
public final class Content {

    /** How the bytes are to be read. The tags are part of what is digested and never change their meaning. */
    enum Kind {
        RAW(0),
        TEXT(1),
        UTF16_TEXT(2),
        JSON(3),
        FIELDS(4);

        private final int tag;

        Kind(int tag) {
            this.tag = tag;
        }

        int tag() {
            return tag;
        }
    }

    /** Below this a copy costs less than a digest that is fed in pieces. */
    private static final int SHORT = 256;

    private final Kind kind;
    private final byte[] bytes;
    private final int length;

    /** Takes the array, of which only the first bytes count, without copying it. */
    private Content(Kind kind, byte[] bytes, int length) {
        this.kind = kind;
        this.bytes = bytes;
        this.length = length;
    }

    private static Content of(Kind kind, byte[] bytes) {
        return new Content(kind, bytes, bytes.length);
    }

    /** Bytes that are compared as they are. */
    public static Content raw(byte[] bytes) {
        return of(Kind.RAW, bytes.clone());
    }

    /** Text that is compared exactly. */
    public static Content text(String text) {
        return Utf8.encode(text)
                .map(utf8 -> of(Kind.TEXT, utf8))
                .orElseGet(() -> of(Kind.UTF16_TEXT, Utf8.unitsOf(text)));
    }

    static Content json(byte[] canonical, int length) {
        return new Content(Kind.JSON, canonical, length);
    }

    static Content fields(ByteSink encoded) {
        return new Content(Kind.FIELDS, encoded.array(), encoded.size());
    }

    /** The whole content, without copying it. */
    Stretch stretch() {
        return new Stretch(kind, bytes, 0, length);
    }

    /** Whether the bytes count as they are. */
    boolean isRaw() {
        return kind == Kind.RAW;
    }

    /** Writes the kind, the length and the bytes, so that a reader would know where they end. */
    void writeTo(ByteSink sink) {
        sink.write(kind.tag).writeLength(length).write(bytes, 0, length);
    }

    /** Has the same digested as {@link #writeTo} writes: what is short is collected, what is long is not copied. */
    void digestInto(Digest digest, ByteSink collected) {
        if (length <= SHORT) {
            writeTo(collected);
            return;
        }
        collected.write(kind.tag).writeLength(length);
        digest.update(collected.array(), 0, collected.size());
        collected.truncate(0);
        digest.update(bytes, 0, length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Content that
                && kind == that.kind
                && Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + ByteBuffer.wrap(bytes, 0, length).hashCode();
    }

    /** Names the kind and the length only: what a request contains does not belong into logs. */
    @Override
    public String toString() {
        return kind + "[" + length + " bytes]";
    }
}
