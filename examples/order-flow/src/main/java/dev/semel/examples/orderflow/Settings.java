package dev.semel.examples.orderflow;

import java.time.Duration;
import java.util.Map;

/**
 * What differs between places where the example runs.
 *
 * @param port of the API, 0 for any
 * @param kafka properties of Kafka's clients: at least {@code bootstrap.servers}
 * @param lease how long after a crash somebody asks what became of a mail
 * @param settleWindow for how long a mail that the provider does not know of may still be on its way
 */
record Settings(int port, Map<String, Object> kafka, Duration lease, Duration settleWindow) {

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    /** The provider is on this machine: what it has not got within half a minute is not on its way any more. */
    private static final Duration DEFAULT_SETTLE_WINDOW = Duration.ofSeconds(30);

    static Settings of(int port, String kafka) {
        return new Settings(port, Map.of("bootstrap.servers", kafka), DEFAULT_LEASE, DEFAULT_SETTLE_WINDOW);
    }
}
