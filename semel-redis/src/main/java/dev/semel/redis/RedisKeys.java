package dev.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The keys of a store in Redis, described for the operator of the server. */
public final class RedisKeys {

    private RedisKeys() {}

    /** Returns the names of all keys, the rights that the store's user needs, and the settings that the server needs. */
    public static String description() {
        try (InputStream in = RedisKeys.class.getResourceAsStream("keys.txt")) {
            if (in == null) {
                throw new IllegalStateException("this jar lacks keys.txt");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
