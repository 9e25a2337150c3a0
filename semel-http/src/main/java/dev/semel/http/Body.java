package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of a message's body, equal when the bytes are equal. */
public final class Body {

    /** No bytes. */
    public static final Body EMPTY = new Body(new byte[0]);

    private final byte[] bytes;

    private Body(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the array without copying it: the caller gives it away and never changes it again. */
    public static Body of(byte[] bytes) {
        return new Body(bytes);
    }

    public static Body ofText(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The array itself, not a copy: never change it. */
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The length of the body, never its content. */
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
