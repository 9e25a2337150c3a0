package dev.semel.examples.payments.provider;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs events, so that their receiver can verify the sender, as in the Standard Webhooks specification: HMAC-SHA256 over
 * {@code id.timestamp.body}, with a shared secret.
 */
public final class WebhookSigner {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    /** The specification's limits. */
    private static final int SHORTEST_SECRET = 24;

    private static final int LONGEST_SECRET = 64;

    private final SecretKeySpec secret;

    private WebhookSigner(byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * A signer with a shared secret.
     *
     * @param secret {@code whsec_} and 24 to 64 bytes in Base64
     * @throws IllegalArgumentException when it is anything else; the message does not repeat it
     */
    public static WebhookSigner of(String secret) {
        if (!secret.startsWith(PREFIX)) {
            throw new IllegalArgumentException("the webhook secret must begin with " + PREFIX);
        }
        byte[] bytes = decode(secret.substring(PREFIX.length()));
        if (bytes.length < SHORTEST_SECRET || bytes.length > LONGEST_SECRET) {
            throw new IllegalArgumentException("the webhook secret must have " + SHORTEST_SECRET + " to "
                    + LONGEST_SECRET + " bytes, and has " + bytes.length);
        }
        return new WebhookSigner(bytes);
    }

    private static byte[] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            // The message of the cause contains a character of the secret.
            throw new IllegalArgumentException("the webhook secret must be Base64 after " + PREFIX);
        }
    }

    /**
     * The value of the header {@code webhook-signature}.
     *
     * @param timestamp of this delivery, in seconds since 1970
     */
    public String sign(String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
