package dev.semel.server.gateway.config;

import java.time.Duration;

/**
 * How much clients may take of a gateway, whatever a route allows.
 *
 * @param headers the longest head of a request, in bytes
 * @param requestLine the longest request line, which holds the path and the query, in bytes
 * @param connections of clients at a time
 * @param requests in progress at a time, with those whose clients have left
 * @param head how long a client that has connected may take for the head of its first request, with the handshake of TLS
 * @param idle how long a connection may be without a request, until the head of the next one is there
 * @param stalled how long a client may neither send the next bytes of a body nor take those of an answer
 */
public record LimitsConfig(
        int headers, int requestLine, int connections, int requests, Duration head, Duration idle, Duration stalled) {

    /**
     * Heads are as long as common servers take them. An idle connection costs some kilobytes, a request in progress up to the
     * bodies that its route keeps. Load balancers close idle connections after a minute, most of them, and should be first.
     */
    public static final LimitsConfig DEFAULT = new LimitsConfig(
            32 << 10, 8 << 10, 20_000, 5_000, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofSeconds(60));

    private static final int LEAST_BYTES = 256;

    public LimitsConfig {
        if (headers < LEAST_BYTES || requestLine < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "less than " + LEAST_BYTES + " bytes for headers or the request line would refuse every request");
        }
        if (connections < 1 || requests < 1) {
            throw new IllegalArgumentException("at least one connection and one request must be allowed at a time");
        }
    }

    static LimitsConfig read(ConfigNode node) {
        int headers = node.value("headers", Values::size).orElse(DEFAULT.headers);
        int requestLine = node.value("request-line", Values::size).orElse(DEFAULT.requestLine);
        int connections = node.value("connections", Values::number).orElse(DEFAULT.connections);
        int requests = node.value("requests", Values::number).orElse(DEFAULT.requests);
        Duration head = node.value("head", Values::positive).orElse(DEFAULT.head);
        Duration idle = node.value("idle", Values::positive).orElse(DEFAULT.idle);
        Duration stalled = node.value("stalled", Values::positive).orElse(DEFAULT.stalled);
        node.requireNoMore();
        try {
            return new LimitsConfig(headers, requestLine, connections, requests, head, idle, stalled);
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }
}
