package dev.semel.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.semel.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2. */
final class Jackson2Json implements CallJson {

    private final ObjectMapper json;
    private final ObjectWriter comparing;

    Jackson2Json(ObjectMapper json) {
        this.json = json;
        this.comparing = json.writer(SerializationFeature.FAIL_ON_EMPTY_BEANS);
    }

    /** Dates and durations as text, as Spring Boot's mapper and Jackson 3 write them. */
    static ObjectMapper mapper() {
        return JsonMapper.builder()
                .findAndAddModules()
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .build();
    }

    @Override
    public byte[] comparable(@Nullable Object value) throws UnwritableException {
        try {
            return comparing.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UnwritableException(e.getOriginalMessage(), e);
        }
    }

    @Override
    public Codec<Object> codec(Type type) {
        JavaType declared = json.constructType(type);
        return Codec.of(value -> written(declared, value), bytes -> read(declared, bytes));
    }

    private byte[] written(JavaType type, Object value) {
        try {
            return json.writerFor(type).writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object read(JavaType type, byte[] bytes) {
        try {
            return json.readValue(bytes, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
