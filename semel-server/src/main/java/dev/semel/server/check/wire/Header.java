package dev.semel.server.check.wire;

import java.util.Locale;
import java.util.regex.Pattern;

/** One header line. */
public record Header(String name, String value) {

    private static final Pattern SECRET = Pattern.compile(".*(authorization|cookie|token|secret|api-?key).*");

    public boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
    }

    /** Whether the value is likely to be a credential. */
    public boolean isSecret() {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }

    /** The line as it is sent. */
    public String line() {
        return name + ": " + value;
    }

    /**
     * Understands {@code Name: value}.
     *
     * @throws IllegalArgumentException when there is no colon, or no name
     */
    public static Header parse(String line) {
        int colon = line.indexOf(':');
        if (colon < 1 || line.substring(0, colon).isBlank()) {
            throw new IllegalArgumentException("'" + line + "' is no header; write 'Name: value'");
        }
        return new Header(
                line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
}
