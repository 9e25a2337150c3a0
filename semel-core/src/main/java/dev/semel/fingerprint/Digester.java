package dev.semel.fingerprint;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A digest function over {@link Parts}. */
@FunctionalInterface
interface Digester {

    /** 128 bits, so that guessing the secret is hopeless. */
    int SHORTEST_SECRET_BYTES = 16;

    byte[] digest(Parts parts);

    static Digester sha256() {
        return parts -> {
            try {
                MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
                parts.digestInto(sha256::update);
                return sha256.digest();
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
        return parts -> {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(key);
                parts.digestInto(mac::update);
                return mac.doFinal();
            } catch (NoSuchAlgorithmException | InvalidKeyException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        };
    }
}
