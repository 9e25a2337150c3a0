package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.Letter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deliveries signed as the <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specification has it: HMAC-SHA-256
 * over {@code id.timestamp.body}, in the headers {@code webhook-id}, {@code webhook-timestamp} and {@code webhook-signature}.
 */
public final class StandardWebhooks implements WebhookScheme {

    private static final String ID = "webhook-id";
    private static final String TIMESTAMP = "webhook-timestamp";
    private static final String SIGNATURE = "webhook-signature";

    private static final String PREFIX = "whsec_";
    private static final String VERSION = "v1,";

    /** The specification's limits. */
    private static final int SHORTEST_SECRET = 24;

    private static final int LONGEST_SECRET = 64;

    /** The schedule that the specification recommends ends after 76 hours. */
    private static final Duration RETRY_SPAN = Duration.ofDays(4);

    private final HmacSecrets secrets;

    private StandardWebhooks(HmacSecrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Accepts what is signed with one of these secrets.
     *
     * @param secrets each {@code whsec_} and 24 to 64 bytes in Base64
     * @throws IllegalArgumentException when one is anything else; the message does not repeat it
     */
    public static StandardWebhooks signedWith(String... secrets) {
        List<byte[]> decoded = new ArrayList<>();
        for (String secret : secrets) {
            decoded.add(decode(secret));
        }
        return new StandardWebhooks(HmacSecrets.of(decoded));
    }

    private static byte[] decode(String secret) {
        if (!secret.startsWith(PREFIX)) {
            throw new IllegalArgumentException("the webhook secret must begin with " + PREFIX);
        }
        byte[] bytes = base64(secret.substring(PREFIX.length()))
                .orElseThrow(() -> new IllegalArgumentException("the webhook secret must be Base64 after " + PREFIX));
        if (bytes.length < SHORTEST_SECRET || bytes.length > LONGEST_SECRET) {
            throw new IllegalArgumentException("the webhook secret must have " + SHORTEST_SECRET + " to "
                    + LONGEST_SECRET + " bytes, and has " + bytes.length);
        }
        return bytes;
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException malformed) {
            // Its message would tell a character of it.
            return Optional.empty();
        }
    }

    /** The headers of a delivery that is signed with the first secret: for those who send. */
    public Map<String, String> sign(String id, Instant at, byte[] body) {
        String timestamp = Long.toString(at.getEpochSecond());
        byte[] signature = secrets.sign(signedBefore(id, timestamp), body);
        return Map.of(
                ID,
                id,
                TIMESTAMP,
                timestamp,
                SIGNATURE,
                VERSION + Base64.getEncoder().encodeToString(signature));
    }

    @Override
    public Verification verify(WebhookRequest request) {
        String id = request.header(ID).orElse("");
        String timestamp = request.header(TIMESTAMP).orElse("");
        Optional<Instant> at = Timestamps.parse(timestamp);
        List<byte[]> signatures = signatures(request.header(SIGNATURE).orElse(""));
        // A full stop in the id would let the same signed bytes be read as another id.
        boolean wellFormed = !id.isEmpty() && id.indexOf('.') < 0 && at.isPresent();
        return wellFormed && secrets.haveSigned(signatures, signedBefore(id, timestamp), request.body())
                ? new Verification.Genuine(at.get())
                : new Verification.Forged();
    }

    private static byte[] signedBefore(String id, String timestamp) {
        return (id + "." + timestamp + ".").getBytes(UTF_8);
    }

    /** Those of version 1; a sender that is about to change its secret, or the version, sends several. */
    private static List<byte[]> signatures(String header) {
        List<byte[]> signatures = new ArrayList<>();
        for (String signature : header.split(" ", -1)) {
            if (signature.startsWith(VERSION)) {
                base64(signature.substring(VERSION.length())).ifPresent(signatures::add);
            }
        }
        return signatures;
    }

    @Override
    public Letter letter(WebhookRequest request) {
        return Letter.withId(request.header(ID).orElse(""), request.body());
    }

    @Override
    public Duration retrySpan() {
        return RETRY_SPAN;
    }
}
