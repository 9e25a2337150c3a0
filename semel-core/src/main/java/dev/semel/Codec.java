package dev.semel;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a result becomes the bytes that are recorded, and how a replay becomes a result again.
 *
 * <p>What was recorded yesterday is decoded tomorrow: a codec must go on reading what its older versions wrote.
 */
public interface Codec<T extends @Nullable Object> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    static <T extends @Nullable Object> Codec<T> of(Function<T, byte[]> encoder, Function<byte[], T> decoder) {
        return new Codec<>() {
            @Override
            public byte[] encode(T value) {
                return encoder.apply(value);
            }

            @Override
            public T decode(byte[] bytes) {
                return decoder.apply(bytes);
            }
        };
    }

    static Codec<byte[]> bytes() {
        return of(Function.identity(), Function.identity());
    }

    static Codec<String> text() {
        return of(value -> value.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
}
