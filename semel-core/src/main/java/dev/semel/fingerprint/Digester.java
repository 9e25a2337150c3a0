package dev.semel.fingerprint;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A digest function. */
@FunctionalInterface
interface Digester {

    /** 128 bits, so that guessing the secret is hopeless. */
    int SHORTEST_SECRET_BYTES = 16;

    byte[] digest(byte[] message);

    static Digester sha256() {
        return message -> {
            try {
                return MessageDigest.getInstance("SHA-256").digest(message);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        };
    }

    static Digester hmacSha256(byte[] secret) {
        if (secret.length < SHORTEST_SECRET_BYTES) {
            throw new IllegalArgumentException("a fingerprint secret has " + secret.length + " bytes, at least "
                    + SHORTEST_SECRET_BYTES + " are needed");
        }
        SecretKeySpec key = new SecretKeySpec(secret, "HmacSHA256");
        return message -> {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(key);
                return mac.doFinal(message);
            } catch (NoSuchAlgorithmException | InvalidKeyException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        };
    }
}
