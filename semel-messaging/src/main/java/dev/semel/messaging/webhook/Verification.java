package dev.semel.messaging.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The result of verifying a delivery's signature. */
public sealed interface Verification {

    /**
     * The sender has signed the delivery.
     *
     * @param signedAt the time of signing by the sender's clock; null when the scheme's signature does not cover a time
     */
    record Genuine(@Nullable Instant signedAt) implements Verification {}

    /** The signature is missing, malformed, or not valid for this content. */
    record Forged() implements Verification {}
}
