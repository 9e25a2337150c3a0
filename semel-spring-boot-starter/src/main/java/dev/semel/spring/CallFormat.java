package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.fingerprint.Parts;
import org.jspecify.annotations.Nullable;

/** The form of arguments and results of {@link Idempotent} methods as bytes: JSON. */
final class CallFormat {

    private static final byte[] NOTHING = new byte[0];

    private final CallJson json;

    CallFormat(CallJson json) {
        this.json = json;
    }

    /** The parts that count in the fingerprint of a call. */
    Parts parts(IdempotentMethod method, @Nullable Object payload) {
        return Parts.builder()
                .add("operation", method.operation())
                .body("application/json", compared(method, payload))
                .build();
    }

    private byte[] compared(IdempotentMethod method, @Nullable Object payload) {
        try {
            return json.comparable(payload);
        } catch (CallJson.UnwritableException e) {
            throw new IllegalArgumentException(
                    "@Idempotent on " + IdempotentMethod.nameOf(method.method())
                            + ": its arguments cannot be compared with those of another call with the same key, because"
                            + " they cannot be written as JSON: " + e.getMessage()
                            + " Name the part that must be the same, such as payload = \"#command.items\"",
                    e.getCause());
        }
    }

    /** A result may be null, and is read back as such. */
    @SuppressWarnings("NullAway")
    Codec<Object> codec(IdempotentMethod method) {
        return method.isVoid() ? Codec.of(value -> NOTHING, bytes -> null) : json.codec(method.resultType());
    }
}
