package dev.semel.spring.messaging;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Turns property values into objects, and reports a wrong value with the name of its property. */
final class Configured {

    private Configured() {}

    static <T> T value(String property, @Nullable Object value, Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage());
        }
    }
}
