package dev.semel.messaging.webhook;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP answer to a sender. A sender delivers the event again unless the status is 2xx.
 *
 * @param status of HTTP
 * @param text plain text; it does not say why a delivery failed verification
 * @param retryAfter when the sender should deliver the event again; null unless the status is 503
 */
public record WebhookAnswer(
        int status, String text, @Nullable Duration retryAfter) {

    /** About as long as a handler takes. Most senders follow a schedule of their own. */
    private static final Duration SOON = Duration.ofSeconds(5);

    static final WebhookAnswer HANDLED = new WebhookAnswer(200, "handled", null);
    static final WebhookAnswer DUPLICATE = new WebhookAnswer(200, "handled before", null);
    static final WebhookAnswer GIVEN_UP = new WebhookAnswer(200, "given up", null);
    static final WebhookAnswer NOT_VERIFIED = new WebhookAnswer(401, "not verified", null);
    static final WebhookAnswer NOT_AN_EVENT = new WebhookAnswer(400, "not an event", null);
    static final WebhookAnswer TOO_LARGE = new WebhookAnswer(413, "too large", null);
    static final WebhookAnswer ID_REUSED = new WebhookAnswer(422, "this id was that of another event", null);
    static final WebhookAnswer FAILED = new WebhookAnswer(500, "failed; send it again", null);
    static final WebhookAnswer NOT_NOW = new WebhookAnswer(503, "not now; send it again", SOON);

    /** The value of the header {@code Retry-After}; empty when the answer has none. */
    public Optional<String> retryAfterSeconds() {
        return Optional.ofNullable(retryAfter).map(after -> Long.toString(after.toSeconds()));
    }
}
