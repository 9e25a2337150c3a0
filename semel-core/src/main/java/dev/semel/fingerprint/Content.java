package dev.semel.fingerprint;

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
    }

    private final Kind kind;
    private final byte[] bytes;

    private Content(Kind kind, byte[] bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /** Bytes that are compared as they are. */
    public static Content raw(byte[] bytes) {
        return new Content(Kind.RAW, bytes.clone());
    }

    /** Text that is compared exactly. */
    public static Content text(String text) {
        return Utf8.encode(text)
                .map(utf8 -> new Content(Kind.TEXT, utf8))
                .orElseGet(() -> new Content(Kind.UTF16_TEXT, Utf8.unitsOf(text)));
    }

    static Content json(byte[] canonical) {
        return new Content(Kind.JSON, canonical);
    }

    static Content fields(byte[] encoded) {
        return new Content(Kind.FIELDS, encoded);
    }

    void writeTo(ByteSink sink) {
        sink.write(kind.tag).writeFramed(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Content that && kind == that.kind && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + Arrays.hashCode(bytes);
    }

    /** Names the kind and the length only: what a request contains does not belong into logs. */
    @Override
    public String toString() {
        return kind + "[" + bytes.length + " bytes]";
    }
}
