package dev.semel.messaging.webhook;

import dev.semel.messaging.MessageIdentity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event whose delivery was verified.
 *
 * @param identity the event's id, and the fingerprint of its content
 * @param signedAt when this delivery was signed, by the sender's clock; null when the scheme has no time
 * @param request the delivery
 */
public record WebhookEvent(
        MessageIdentity identity, @Nullable Instant signedAt, WebhookRequest request) {

    public String id() {
        return identity.key().value();
    }

    /** The body itself, not a copy: never change it. */
    public byte[] body() {
        return request.body();
    }
}
