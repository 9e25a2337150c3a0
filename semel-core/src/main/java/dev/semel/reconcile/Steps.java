package dev.semel.reconcile;

import dev.semel.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The recorded steps of a record: opaque bytes to a store, which only ever appends to them.
 *
 * <p>Each step is its name and its result, both preceded by their lengths.
 */
public final class Steps {

    public static final Steps NONE = new Steps(new byte[0]);

    private final byte[] bytes;

    private Steps(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the array without copying it; null, as a database has it, is none. */
    public static Steps of(byte @Nullable [] bytes) {
        return bytes == null || bytes.length == 0 ? NONE : new Steps(bytes);
    }

    /** One step alone: what a store appends. */
    public static Steps of(String name, Response result) {
        byte[] label = name.getBytes(StandardCharsets.UTF_8);
        return new Steps(ByteBuffer.allocate(2 * Integer.BYTES + label.length + result.size())
                .putInt(label.length)
                .put(label)
                .putInt(result.size())
                .put(result.bytes())
                .array());
    }

    /** The array itself, not a copy: never change it. */
    public byte[] bytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    public Steps plus(Steps more) {
        byte[] all = Arrays.copyOf(bytes, bytes.length + more.bytes.length);
        System.arraycopy(more.bytes, 0, all, bytes.length, more.bytes.length);
        return new Steps(all);
    }

    /** The result of the step with this name; a step that was recorded twice has the later one. */
    public Optional<Response> find(String name) {
        Response found = null;
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            String label = new String(next(rest), StandardCharsets.UTF_8);
            byte[] result = next(rest);
            if (label.equals(name)) {
                found = Response.of(result);
            }
        }
        return Optional.ofNullable(found);
    }

    private static byte[] next(ByteBuffer rest) {
        byte[] part = new byte[rest.getInt()];
        rest.get(part);
        return part;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Steps that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Says how much is recorded, never what. */
    @Override
    public String toString() {
        return "steps of " + bytes.length + " bytes";
    }
}
