package dev.semel.server.check.wire;

/** One header line. */
public record Header(String name, String value) {

    public boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
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
