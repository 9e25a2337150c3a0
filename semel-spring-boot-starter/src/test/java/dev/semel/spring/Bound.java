package dev.semel.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Properties as an application has them. */
final class Bound {

    private Bound() {}

    /** @param properties each such as {@code semel.store=memory:} */
    static SemelProperties properties(String... properties) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String property : properties) {
            int equals = property.indexOf('=');
            values.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("semel", SemelProperties.class);
    }
}
