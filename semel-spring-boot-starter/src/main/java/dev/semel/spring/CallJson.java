package dev.semel.spring;

import dev.semel.Codec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The application's Jackson, 2 or 3: arguments and results of {@link Idempotent} methods as JSON. */
interface CallJson {

    /** A value cannot be written as JSON. The message is Jackson's own. */
    final class UnwritableException extends Exception {

        UnwritableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The bytes of an argument, which are compared with those of another call.
     *
     * @throws UnwritableException also for an object without properties, such as a stream: all of them would be the same payload
     */
    byte[] comparable(@Nullable Object value) throws UnwritableException;

    /** Writes and reads results of a type. */
    Codec<Object> codec(Type type);
}
