package dev.semel.messaging.webhook;

import dev.semel.messaging.Letter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event whose delivery was verified.
 *
 * @param letter its id, and what counts of its content
 * @param signedAt when this delivery was signed, by the sender's clock; null where the sender does not say
 * @param request the delivery as it came
 */
public record WebhookEvent(Letter letter, @Nullable Instant signedAt, WebhookRequest request) {

    public String id() {
        return letter.key().value();
    }

    /** The body itself, not a copy: never change it. */
    public byte[] body() {
        return request.body();
    }
}
