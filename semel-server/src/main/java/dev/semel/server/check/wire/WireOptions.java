package dev.semel.server.check.wire;

import java.time.Duration;

/**
 * How connections are made.
 *
 * @param timeout how long a connection and its answer are waited for
 * @param trustAll accepts every certificate, as curl's {@code -k} does
 * @param anyHost connects to other machines than this one
 */
public record WireOptions(Duration timeout, boolean trustAll, boolean anyHost) {

    /** To this machine, with certificates that Java trusts. */
    public static WireOptions here(Duration timeout) {
        return new WireOptions(timeout, false, false);
    }
}
