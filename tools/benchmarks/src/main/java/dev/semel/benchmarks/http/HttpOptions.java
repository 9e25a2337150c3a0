package dev.semel.benchmarks.http;

import java.time.Duration;
import java.util.Map;

/**
 * How the HTTP suite runs.
 *
 * @param connections how many clients send at once, each on a connection of its own that is kept open
 * @param bodyBytes about how long a request's JSON body is
 * @param warmUp how long each server is warmed up at least, before the first round
 * @param round how long a server is measured at a time
 * @param rounds how often each server is measured
 * @param sqlite whether SQLite is measured, in a temporary file
 * @param servers further stores: what each is called, and its URI
 */
public record HttpOptions(
        int connections,
        int bodyBytes,
        Duration warmUp,
        Duration round,
        int rounds,
        boolean sqlite,
        Map<String, String> servers) {

    public HttpOptions {
        servers = Map.copyOf(servers);
        if (connections < 1 || rounds < 1) {
            throw new IllegalArgumentException("at least one connection and one round are needed, not " + connections
                    + " connections and " + rounds + " rounds");
        }
    }

    /** 16 connections, 1 KiB, 20 s of warm-up, since a virtual machine speeds up for that long, and 7 rounds of 4 s. */
    public static HttpOptions standard() {
        return new HttpOptions(16, 1024, Duration.ofSeconds(20), Duration.ofSeconds(4), 7, true, Map.of());
    }
}
