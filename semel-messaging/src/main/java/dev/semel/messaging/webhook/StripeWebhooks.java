package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.Key;
import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.fingerprint.Pointer;
import dev.semel.messaging.MessageIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Deliveries signed as Stripe does: HMAC-SHA-256 over {@code timestamp.body}, in the header
 * {@code Stripe-Signature: t=…,v1=…}. The event's id is the body's {@code id}, so the signature covers it.
 */
public final class StripeWebhooks implements WebhookScheme {

    private static final String SIGNATURE = "Stripe-Signature";

    private static final Pointer ID = Pointer.of("/id");

    /** Without {@code pending_webhooks}, which differs between two deliveries of one event. */
    private static final BodyForm CONTENT =
            BodyForm.fields("/id", "/type", "/account", "/created", "/livemode", "/data");

    /** As Stripe documents it for live mode. */
    private static final Duration RETRY_SPAN = Duration.ofDays(3);

    private final HmacSecrets secrets;

    private StripeWebhooks(HmacSecrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Accepts deliveries that are signed with one of these secrets.
     *
     * @param secrets of the endpoint, each as Stripe shows it: {@code whsec_…}
     * @throws IllegalArgumentException when there is no secret, or one is empty
     */
    public static StripeWebhooks signedWith(String... secrets) {
        return new StripeWebhooks(HmacSecrets.of(
                Stream.of(secrets).map(secret -> secret.getBytes(UTF_8)).toList()));
    }

    @Override
    public Verification verify(WebhookRequest request) {
        List<String> timestamps = new ArrayList<>();
        List<byte[]> signatures = new ArrayList<>();
        for (String item : request.header(SIGNATURE).orElse("").split(",", -1)) {
            if (item.startsWith("t=")) {
                timestamps.add(item.substring(2));
            } else if (item.startsWith("v1=")) {
                HexSignatures.parse(item.substring(3)).ifPresent(signatures::add);
            }
        }
        if (timestamps.size() != 1) {
            return new Verification.Forged();
        }
        String timestamp = timestamps.get(0);
        return Timestamps.parse(timestamp)
                .filter(at -> secrets.haveSigned(signatures, (timestamp + ".").getBytes(UTF_8), request.body()))
                .<Verification>map(Verification.Genuine::new)
                .orElseGet(Verification.Forged::new);
    }

    @Override
    public MessageIdentity identity(WebhookRequest request) {
        try {
            byte[] id = CanonicalJson.standard()
                    .select(request.body(), List.of(ID))
                    .orElse(Map.of())
                    .get(ID);
            if (id == null || id[0] != '"') {
                throw new IllegalArgumentException("the event has no id: Stripe's events have a string as id");
            }
            return new MessageIdentity(
                    Key.of(CanonicalJson.text(id)),
                    Fingerprinter.sha256()
                            .of(Parts.builder()
                                    .body(CONTENT, null, request.body())
                                    .build()));
        } catch (BodyLimitException tooMuch) {
            throw new IllegalArgumentException("the event is larger or more deeply nested than Stripe's are", tooMuch);
        }
    }

    @Override
    public Duration retrySpan() {
        return RETRY_SPAN;
    }
}
