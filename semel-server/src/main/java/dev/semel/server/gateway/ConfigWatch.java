package dev.semel.server.gateway;

import dev.semel.server.gateway.config.ConfigException;
import dev.semel.server.gateway.config.GatewayConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads a configuration file again when it has changed, and on SIGHUP. The new configuration is put in force as a whole, or
 * refused as a whole: then the old one stays.
 */
public final class ConfigWatch {

    private final Path file;
    private final Supplier<GatewayConfig> reading;
    private final Consumer<GatewayConfig> applying;
    private final Consumer<String> telling;

    private ConfigWatch(
            Path file, Supplier<GatewayConfig> reading, Consumer<GatewayConfig> applying, Consumer<String> telling) {
        this.file = file;
        this.reading = reading;
        this.applying = applying;
        this.telling = telling;
    }

    /**
     * Watches for as long as the process lives.
     *
     * @param reading reads the file; fails with a {@link ConfigException}
     * @param applying puts a configuration in force; fails with an {@link IllegalArgumentException}
     * @param telling prints a line for the operator
     */
    public static void start(
            Path file, Supplier<GatewayConfig> reading, Consumer<GatewayConfig> applying, Consumer<String> telling) {
        ConfigWatch watch = new ConfigWatch(file, reading, applying, telling);
        FileWatch files = new FileWatch("semel-gateway-config", List.of(file), watch::reload);
        HangUp.onSignal(files::act);
    }

    private void reload() {
        try {
            applying.accept(reading.get());
            telling.accept("The configuration was read again: " + file);
        } catch (ConfigException | IllegalArgumentException e) {
            telling.accept("The new configuration is refused, and the old one stays in force: " + e.getMessage());
        } catch (RuntimeException e) {
            telling.accept("The configuration could not be read again, and the old one stays in force: " + e);
        }
    }
}
