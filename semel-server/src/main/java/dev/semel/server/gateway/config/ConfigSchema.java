package dev.semel.server.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The JSON Schema of configuration files, for editors. */
public final class ConfigSchema {

    private ConfigSchema() {}

    /** The text of the schema. */
    public static String text() {
        try (InputStream in = ConfigSchema.class.getResourceAsStream("gateway.schema.json")) {
            if (in == null) {
                throw new IllegalStateException("gateway.schema.json is missing beside its class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
