package dev.semel.messaging.federation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The input or the result of an action: JSON, or any bytes; equal when the bytes are equal. */
public final class Payload {

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the array without copying it: the caller must not change it any more. */
    public static Payload of(byte[] bytes) {
        return new Payload(bytes);
    }

    public static Payload of(String text) {
        return new Payload(text.getBytes(UTF_8));
    }

    /** The array itself, not a copy: do not change it. */
    public byte[] bytes() {
        return bytes;
    }

    public String text() {
        return new String(bytes, UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The length of the payload, never its content. */
    @Override
    public String toString() {
        return "payload of " + bytes.length + " bytes";
    }
}
