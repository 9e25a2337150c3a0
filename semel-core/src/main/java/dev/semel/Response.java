package dev.semel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of a recorded response: opaque to the engine and to every store, equal when the bytes are equal. */
public final class Response {

    private final byte[] bytes;

    private Response(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the array without copying it: the caller gives it away and never changes it again. */
    public static Response of(byte[] bytes) {
        return new Response(bytes);
    }

    /** The array itself, not a copy: never change it. */
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Response that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Says how long the response is, never what it says. */
    @Override
    public String toString() {
        return "response of " + bytes.length + " bytes";
    }
}
