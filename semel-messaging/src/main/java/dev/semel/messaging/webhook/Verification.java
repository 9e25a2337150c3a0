package dev.semel.messaging.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a delivery is its sender's. */
public sealed interface Verification {

    /**
     * The sender has signed it.
     *
     * @param signedAt when, by the sender's clock, as far as the signature covers that; null where the scheme does not say
     */
    record Genuine(@Nullable Instant signedAt) implements Verification {}

    /** There is no signature of the sender's on it: it is missing, malformed, or of something else. */
    record Forged() implements Verification {}
}
