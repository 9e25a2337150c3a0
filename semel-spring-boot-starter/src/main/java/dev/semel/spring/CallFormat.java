package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.fingerprint.Parts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** How arguments and results of {@link Idempotent} methods become bytes: as JSON. */
final class CallFormat {

    private static final byte[] NOTHING = new byte[0];

    private final JsonMapper json;

    CallFormat(JsonMapper json) {
        this.json = json;
    }

    /** What counts in the fingerprint of a call. */
    Parts parts(IdempotentMethod method, @Nullable Object payload) {
        return Parts.builder()
                .add("operation", method.operation())
                .body("application/json", json.writeValueAsBytes(payload))
                .build();
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
