package dev.semel.messaging.webhook;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that a sender may sign with, by HMAC-SHA-256: one, or several while it changes from one to the next.
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
     * Secrets of which each one is good enough.
     *
     * @throws IllegalArgumentException when there is none, or one is empty: everybody could sign with that
     */
    public static HmacSecrets of(List<byte[]> secrets) {
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length == 0)) {
            throw new IllegalArgumentException("a webhook needs a secret, and an empty one is none");
        }
        return new HmacSecrets(secrets.stream()
                .map(secret -> new SecretKeySpec(secret, ALGORITHM))
                .toList());
    }

    /**
     * Whether one of the signatures is that of the content under one of the secrets. All are compared with all, so that how
     * long it takes tells nothing of either.
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

    /** The content's signature under the first secret: for those who send. */
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

    /** Says how many there are, never what they are. */
    @Override
    public String toString() {
        return keys.size() + " webhook secrets";
    }
}
