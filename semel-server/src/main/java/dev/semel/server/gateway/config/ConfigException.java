package dev.semel.server.gateway.config;

/** A mistake in a configuration file: where it is, and what would be right. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Says where a mistake is.
     *
     * @param line counted from 1; 0 for the whole file
     * @param field such as {@code routes[0].lease}; empty for the whole file
     */
    ConfigException(String file, int line, String field, String message) {
        super(file + (line > 0 ? ":" + line : "") + ": " + (field.isEmpty() ? "" : field + ": ") + message);
    }
}
