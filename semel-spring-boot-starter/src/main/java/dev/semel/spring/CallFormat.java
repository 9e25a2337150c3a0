package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.fingerprint.Parts;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The form of arguments and results of {@link Idempotent} methods as bytes: JSON. */
final class CallFormat {

    private static final byte[] NOTHING = new byte[0];

    private final JsonMapper json;
    private final JsonMapper comparing;

    CallFormat(JsonMapper json) {
        this.json = json;
        // Otherwise all objects without properties, such as streams, would be the same payload.
        this.comparing =
                json.rebuild().enable(SerializationFeature.FAIL_ON_EMPTY_BEANS).build();
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
            return comparing.writeValueAsBytes(payload);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "@Idempotent on " + IdempotentMethod.nameOf(method.method())
                            + ": its arguments cannot be compared with those of another call with the same key, because"
                            + " they cannot be written as JSON: " + e.getOriginalMessage()
                            + " Name the part that must be the same, such as payload = \"#command.items\"",
                    e);
        }
    }

    /** A result may be null, and is read back as such. */
    @SuppressWarnings("NullAway")
    Codec<Object> codec(IdempotentMethod method) {
        if (method.isVoid()) {
            return Codec.of(value -> NOTHING, bytes -> null);
        }
        JavaType type = json.constructType(method.resultType());
        return Codec.of(value -> json.writerFor(type).writeValueAsBytes(value), bytes -> json.readValue(bytes, type));
    }
}
