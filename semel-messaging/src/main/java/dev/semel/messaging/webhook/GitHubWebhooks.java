package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.Letter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Deliveries signed as GitHub does: HMAC-SHA-256 over the body, in the header {@code X-Hub-Signature-256}. The event's id is in
 * {@code X-GitHub-Delivery}.
 *
 * <p>The signature covers neither the id nor a time. Whoever has got hold of a delivery can send it again under another id, at
 * any time; {@link #toldApartByContent()} is for those whom that would hurt.
 */
public final class GitHubWebhooks implements WebhookScheme {

    private static final String SIGNATURE = "X-Hub-Signature-256";
    private static final String ID = "X-GitHub-Delivery";
    private static final String PREFIX = "sha256=";

    /** GitHub itself does not retry; people can have deliveries of the last three days sent again. */
    private static final Duration RETRY_SPAN = Duration.ofDays(3);

    private final HmacSecrets secrets;
    private final boolean byContent;

    private GitHubWebhooks(HmacSecrets secrets, boolean byContent) {
        this.secrets = secrets;
        this.byContent = byContent;
    }

    /**
     * Accepts what is signed with one of these secrets.
     *
     * @throws IllegalArgumentException when there is none, or one is empty
     */
    public static GitHubWebhooks signedWith(String... secrets) {
        return new GitHubWebhooks(
                HmacSecrets.of(
                        Stream.of(secrets).map(secret -> secret.getBytes(UTF_8)).toList()),
                false);
    }

    /**
     * Takes the same content for the same event, whatever id it comes with: only what is signed counts. Two events that say
     * the very same, such as two pings, are then one.
     */
    public GitHubWebhooks toldApartByContent() {
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
    public Letter letter(WebhookRequest request) {
        return byContent
                ? Letter.withoutId(request.body())
                : Letter.withId(request.header(ID).orElse(""), request.body());
    }

    @Override
    public Duration retrySpan() {
        return RETRY_SPAN;
    }
}
