package dev.semel.messaging.webhook;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that a sender may sign with, by HMAC-SHA-256: one, or several during a rotation.
 *
 * <p>Immutable, and safe for use by many threads.
 */
public final class HmacSecrets {

    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> keys;

    private HmacSecrets(List<SecretKeySpec> keys) {
        this.keys = keys;
    }

    /**
     * Secrets, any of which verifies a delivery.
     *
     * @throws IllegalArgumentException when there is no secret, or one is empty
     */
    public static HmacSecrets of(List<byte[]> secrets) {
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length == 0)) {
            throw new IllegalArgumentException("the webhook secret is missing or empty: set the secret of the sender");
        }
        return new HmacSecrets(secrets.stream()
                .map(secret -> new SecretKeySpec(secret, ALGORITHM))
                .toList());
    }

    /**
     * Whether one of the signatures is valid for the content under one of the secrets. Every signature is compared with every
     * secret, so the time it takes reveals neither.
     *
     * @param content in pieces that are signed as one
     */
    public boolean haveSigned(List<byte[]> signatures, byte[]... content) {
        boolean genuine = false;
        for (SecretKeySpec key : keys) {
            byte[] expected = sign(key, content);
            for (byte[] signature : signatures) {
                genuine |= MessageDigest.isEqual(expected, signature);
            }
        }
        return genuine;
    }

    /** Signs content with the first secret, for senders. */
    public byte[] sign(byte[]... content) {
        return sign(keys.get(0), content);
    }

    private static byte[] sign(SecretKeySpec key, byte[]... content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            Arrays.stream(content).forEach(mac::update);
            return mac.doFinal();
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** The number of secrets, never the secrets. */
    @Override
    public String toString() {
        return keys.size() + " webhook secrets";
    }
}
