package dev.semel.messaging.webhook;

import dev.semel.messaging.MessageIdentity;
import java.time.Duration;

/**
 * A sender's way of signing deliveries and of identifying events.
 *
 * <p>{@link StandardWebhooks}, {@link StripeWebhooks} and {@link GitHubWebhooks} are included. For another sender, implement
 * this interface; {@link HmacSecrets} verifies HMAC signatures.
 */
public interface WebhookScheme {

    /**
     * Verifies that the sender has signed exactly these bytes. Called before anything else of the delivery is read. The
     * comparison must take constant time. The receiver checks the signature's age.
     */
    Verification verify(WebhookRequest request);

    /**
     * The event's id and the fingerprint of its content; called only for a genuine delivery. Two deliveries of the same event
     * must have the same identity.
     *
     * @throws IllegalArgumentException when the delivery has no usable id
     */
    MessageIdentity identity(WebhookRequest request);

    /** How long after an event its sender may still deliver it. The retention must be longer. */
    Duration retrySpan();
}
