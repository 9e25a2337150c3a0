package dev.semel.server.gateway.config;

/** An address to listen on. */
public record HostPort(String host, int port) {

    /**
     * Understands {@code HOST:PORT}, {@code [IPV6]:PORT}, and {@code PORT} alone, which is on loopback.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            throw wrong(text);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port < 0 || port > 65_535 || host.isBlank()) {
                throw wrong(text);
            }
            return new HostPort(host, port);
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is no address to listen on: use HOST:PORT, such as 127.0.0.1:8088");
    }

    public HostPort withPort(int actual) {
        return new HostPort(host, actual);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
