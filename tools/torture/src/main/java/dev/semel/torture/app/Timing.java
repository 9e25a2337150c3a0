package dev.semel.torture.app;

import java.time.Duration;

/**
 * How long things take in a run.
 *
 * <p>The settle window is longer than all that can lie between the moment when a record becomes unknown and the last effect
 * of its attempt: the longest stop, and the latest charge after it.
 *
 * @param lease of an attempt
 * @param providerPatience how long the application waits for the provider
 * @param lateCharge when the provider makes the charges that come late, after they were asked for
 * @param longestStop of a process; the shortest is just longer than a lease and two sweeps
 * @param settleWindow after which "not found" is evidence
 * @param sweepEvery how often each process looks for vanished attempts and due lookups
 * @param briefRetention of the keys that are used again, or retried too late
 */
public record Timing(
        Duration lease,
        Duration providerPatience,
        Duration lateCharge,
        Duration longestStop,
        Duration settleWindow,
        Duration sweepEvery,
        Duration briefRetention) {

    /** Fast, with a margin of two seconds for a busy machine. */
    public static final Timing USUAL = new Timing(
            Duration.ofMillis(1000),
            Duration.ofMillis(500),
            Duration.ofMillis(1200),
            Duration.ofMillis(2500),
            Duration.ofMillis(6000),
            Duration.ofMillis(300),
            Duration.ofMillis(3000));
}
