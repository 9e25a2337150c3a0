package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.MessageIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Deliveries signed as GitHub does: HMAC-SHA-256 over the body, in the header {@code X-Hub-Signature-256}. The event's id is in
 * {@code X-GitHub-Delivery}.
 *
 * <p>The signature covers neither the id nor a time. An attacker who has captured a delivery can send it again with another id,
 * at any time; {@link #identifiedByContent()} prevents that.
 */
public final class GitHubWebhooks implements WebhookScheme {

    private static final String SIGNATURE = "X-Hub-Signature-256";
    private static final String ID = "X-GitHub-Delivery";
    private static final String PREFIX = "sha256=";

    /** GitHub does not retry by itself; its users can redeliver events of the last three days. */
    private static final Duration RETRY_SPAN = Duration.ofDays(3);

    private final HmacSecrets secrets;
    private final boolean byContent;

    private GitHubWebhooks(HmacSecrets secrets, boolean byContent) {
        this.secrets = secrets;
        this.byContent = byContent;
    }

    /**
     * Accepts deliveries that are signed with one of these secrets.
     *
     * @throws IllegalArgumentException when there is no secret, or one is empty
     */
    public static GitHubWebhooks signedWith(String... secrets) {
        return new GitHubWebhooks(
                HmacSecrets.of(
                        Stream.of(secrets).map(secret -> secret.getBytes(UTF_8)).toList()),
                false);
    }

    /**
     * Identifies events by their content and ignores the id, which is not signed. Two events with the same content, such as two
     * pings, are then one event.
     */
    public GitHubWebhooks identifiedByContent() {
        return new GitHubWebhooks(secrets, true);
    }

    @Override
    public Verification verify(WebhookRequest request) {
        Optional<byte[]> signature = request.header(SIGNATURE)
                .filter(value -> value.startsWith(PREFIX))
                .flatMap(value -> HexSignatures.parse(value.substring(PREFIX.length())));
        return signature.isPresent() && secrets.haveSigned(List.of(signature.get()), request.body())
                ? new Verification.Genuine(null)
                : new Verification.Forged();
    }

    @Override
    public MessageIdentity identity(WebhookRequest request) {
        return byContent
                ? MessageIdentity.fromContent(request.body())
                : MessageIdentity.withId(request.header(ID).orElse(""), request.body());
    }

    @Override
    public Duration retrySpan() {
        return RETRY_SPAN;
    }
}
