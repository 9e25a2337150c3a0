package dev.semel.messaging.webhook;

import dev.semel.messaging.Letter;
import java.time.Duration;

/**
 * How a sender signs what it delivers, and how its events are told apart.
 *
 * <p>{@link StandardWebhooks}, {@link StripeWebhooks} and {@link GitHubWebhooks} are such; whoever hears from somebody else
 * writes one more, with {@link HmacSecrets} where the signature is an HMAC.
 */
public interface WebhookScheme {

    /**
     * Whether the sender has signed exactly these bytes. It is asked before anything else of the delivery is looked at, and
     * compares in time that does not depend on where a signature differs. How old a signature may be is not its business.
     */
    Verification verify(WebhookRequest request);

    /**
     * The event's id and what counts of its content. Asked only for a delivery that is genuine. The sender must give another
     * delivery of the same event the same id, and what counts must not differ between the two.
     *
     * @throws IllegalArgumentException when the delivery has no id that could be one
     */
    Letter letter(WebhookRequest request);

    /** How long after an event its sender may still deliver it: events are remembered longer than that. */
    Duration retrySpan();
}
