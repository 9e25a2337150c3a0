package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.MessageIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries signed as the <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specification has it: over
 * {@code id.timestamp.body}, with HMAC-SHA-256 ({@code v1}) or Ed25519 ({@code v1a}), in the headers {@code webhook-id},
 * {@code webhook-timestamp} and {@code webhook-signature}, or in the same three that begin with {@code svix-}.
 *
 * <ol>
 *   <li>All three headers are of one family. When a request has both families, their values must be equal.
 *   <li>An id with a full stop is refused: the same signed bytes could be read as another id with another time.
 *   <li>One valid signature among several is enough: a sender that rotates its secret, or changes the version, sends several.
 * </ol>
 */
public final class StandardWebhooks implements WebhookScheme {

    /** The prefixes of the three headers. */
    private static final List<String> FAMILIES = List.of("webhook-", "svix-");

    private static final String ID = "id";
    private static final String TIMESTAMP = "timestamp";
    private static final String SIGNATURE = "signature";

    private static final String SECRET = "whsec_";
    private static final String PUBLIC_KEY = "whpk_";
    private static final String SYMMETRIC = "v1,";
    private static final String ASYMMETRIC = "v1a,";

    /** The specification's limits. */
    private static final int MIN_SECRET_BYTES = 24;

    private static final int MAX_SECRET_BYTES = 64;

    /** More than any sender has keys. Each signature costs a verification, and an attacker could send many. */
    private static final int MAX_ASYMMETRIC = 8;

    /** The schedule that the specification recommends ends after 76 hours. */
    private static final Duration RETRY_SPAN = Duration.ofDays(4);

    private final @Nullable HmacSecrets secrets;
    private final Ed25519Keys keys;

    private StandardWebhooks(@Nullable HmacSecrets secrets, Ed25519Keys keys) {
        this.secrets = secrets;
        this.keys = keys;
    }

    /**
     * Accepts deliveries that are signed with one of these: secrets shared with the sender, or public keys of the sender.
     *
     * @param secrets each {@code whsec_} and 24 to 64 bytes in Base64, or {@code whpk_} and the 32 bytes of an Ed25519 key
     * @throws IllegalArgumentException when one has another form; the message does not contain it
     */
    public static StandardWebhooks signedWith(String... secrets) {
        List<byte[]> shared = new ArrayList<>();
        List<byte[]> published = new ArrayList<>();
        for (String secret : secrets) {
            if (secret.startsWith(PUBLIC_KEY)) {
                published.add(decode(secret, PUBLIC_KEY));
            } else {
                shared.add(sharedSecret(secret));
            }
        }
        boolean publishedAlone = shared.isEmpty() && !published.isEmpty();
        return new StandardWebhooks(publishedAlone ? null : HmacSecrets.of(shared), Ed25519Keys.of(published));
    }

    private static byte[] sharedSecret(String secret) {
        if (secret.startsWith("whsk_")) {
            throw new IllegalArgumentException(
                    "the webhook secret begins with whsk_: it is the sender's private key, which only the sender may"
                            + " have; use its public key, which begins with " + PUBLIC_KEY);
        }
        if (!secret.startsWith(SECRET)) {
            throw new IllegalArgumentException(
                    "the webhook secret must begin with " + SECRET + ", or with " + PUBLIC_KEY + " for a public key");
        }
        byte[] bytes = decode(secret, SECRET);
        if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) {
            throw new IllegalArgumentException("the webhook secret has " + bytes.length + " bytes, it must have "
                    + MIN_SECRET_BYTES + " to " + MAX_SECRET_BYTES);
        }
        return bytes;
    }

    private static byte[] decode(String secret, String prefix) {
        return base64(secret.substring(prefix.length()))
                .orElseThrow(() -> new IllegalArgumentException("the webhook secret is not Base64 after " + prefix));
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException malformed) {
            // The exception's message would reveal a character of the secret.
            return Optional.empty();
        }
    }

    /**
     * The headers of a delivery that is signed with the first shared secret, for senders.
     *
     * @throws IllegalStateException when there is no shared secret
     */
    public Map<String, String> sign(String id, Instant at, byte[] body) {
        if (secrets == null) {
            throw new IllegalStateException(
                    "public keys verify and cannot sign: give a secret that begins with " + SECRET);
        }
        String timestamp = Long.toString(at.getEpochSecond());
        byte[] signature = secrets.sign(signedBefore(id, timestamp), body);
        String family = FAMILIES.get(0);
        return Map.of(
                family + ID,
                id,
                family + TIMESTAMP,
                timestamp,
                family + SIGNATURE,
                SYMMETRIC + Base64.getEncoder().encodeToString(signature));
    }

    @Override
    public Verification verify(WebhookRequest request) {
        String id = header(request, ID);
        String timestamp = header(request, TIMESTAMP);
        String signatures = header(request, SIGNATURE);
        Optional<Instant> at = Timestamps.parse(timestamp);
        if (id.isEmpty() || id.indexOf('.') >= 0 || at.isEmpty()) {
            return new Verification.Forged();
        }
        byte[] before = signedBefore(id, timestamp);
        boolean symmetric =
                secrets != null && secrets.haveSigned(signatures(signatures, SYMMETRIC), before, request.body());
        List<byte[]> asymmetric = signatures(signatures, ASYMMETRIC);
        boolean genuine = symmetric
                || keys.haveSigned(
                        asymmetric.subList(0, Math.min(MAX_ASYMMETRIC, asymmetric.size())), before, request.body());
        return genuine ? new Verification.Genuine(at.get()) : new Verification.Forged();
    }

    /** The header's value; empty when the request has no such header, or has both families and any of their values differ. */
    private static String header(WebhookRequest request, String name) {
        List<String> present = FAMILIES.stream()
                .filter(family -> Stream.of(ID, TIMESTAMP, SIGNATURE).anyMatch(each -> request.has(family + each)))
                .toList();
        boolean unambiguous = present.size() == 1 || (present.size() == 2 && agree(request));
        return unambiguous ? request.header(present.get(0) + name).orElse("") : "";
    }

    private static boolean agree(WebhookRequest request) {
        return Stream.of(ID, TIMESTAMP, SIGNATURE).allMatch(name -> {
            Optional<String> first = request.header(FAMILIES.get(0) + name);
            return first.isPresent() && first.equals(request.header(FAMILIES.get(1) + name));
        });
    }

    private static byte[] signedBefore(String id, String timestamp) {
        return (id + "." + timestamp + ".").getBytes(UTF_8);
    }

    /** The signatures of one version. */
    private static List<byte[]> signatures(String header, String version) {
        List<byte[]> signatures = new ArrayList<>();
        for (String signature : header.split(" ", -1)) {
            if (signature.startsWith(version)) {
                base64(signature.substring(version.length())).ifPresent(signatures::add);
            }
        }
        return signatures;
    }

    @Override
    public MessageIdentity identity(WebhookRequest request) {
        return MessageIdentity.withId(header(request, ID), request.body());
    }

    @Override
    public Duration retrySpan() {
        return RETRY_SPAN;
    }
}
