package dev.semel.examples.orderflow;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of the flow.
 *
 * @param port of the API, 0 for any
 * @param kafka properties of Kafka's clients: at least {@code bootstrap.servers}
 * @param lease how long after a crash the outcome of a mail counts as unknown and is resolved
 * @param settleWindow how long a mail that the provider has not received may still be in flight
 */
record Settings(int port, Map<String, Object> kafka, Duration lease, Duration settleWindow) {

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    /** The provider is on this machine: a request is not in flight for longer than half a minute. */
    private static final Duration DEFAULT_SETTLE_WINDOW = Duration.ofSeconds(30);

    static Settings of(int port, String kafka) {
        return new Settings(port, Map.of("bootstrap.servers", kafka), DEFAULT_LEASE, DEFAULT_SETTLE_WINDOW);
    }
}
