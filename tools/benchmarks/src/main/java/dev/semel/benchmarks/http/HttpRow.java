package dev.semel.benchmarks.http;

import java.util.List;

/**
 * What one server did.
 *
 * @param side {@link #OFF} without the filter, otherwise the store that the filter used
 * @param requestsPerSecond one figure for each round; figures of one round belong together, and only they compare
 * @param serverMicros what a request cost the server, in microseconds of its processors, also one figure for each round;
 *     unlike the other it hardly depends on what else the machine does
 */
public record HttpRow(String side, List<Double> requestsPerSecond, List<Double> serverMicros) {

    /** The side without the filter. */
    public static final String OFF = "off";

    public HttpRow {
        requestsPerSecond = List.copyOf(requestsPerSecond);
        serverMicros = List.copyOf(serverMicros);
    }
}
