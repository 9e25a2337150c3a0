package dev.semel.server.gateway;

import java.time.Instant;

/** The machine's clocks, for the access log: no decision rests on them. */
final class GatewayTime {

    /** When it is. */
    Instant now() {
        return Instant.now();
    }

    /** Nanoseconds since some fixed moment; never goes back. */
    long nanos() {
        return System.nanoTime();
    }
}
