package dev.semel.spring;

import dev.semel.Codec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3. */
final class Jackson3Json implements CallJson {

    private final JsonMapper json;
    private final JsonMapper comparing;

    Jackson3Json(JsonMapper json) {
        this.json = json;
        this.comparing =
                json.rebuild().enable(SerializationFeature.FAIL_ON_EMPTY_BEANS).build();
    }

    static JsonMapper mapper() {
        return JsonMapper.builder().build();
    }

    @Override
    public byte[] comparable(@Nullable Object value) throws UnwritableException {
        try {
            return comparing.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new UnwritableException(e.getOriginalMessage(), e);
        }
    }

    @Override
    public Codec<Object> codec(Type type) {
        JavaType declared = json.constructType(type);
        return Codec.of(
                value -> json.writerFor(declared).writeValueAsBytes(value), bytes -> json.readValue(bytes, declared));
    }
}
