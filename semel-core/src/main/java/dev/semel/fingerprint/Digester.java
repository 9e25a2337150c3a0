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

    /** Each digest begins as a copy of an empty one: to find a provider anew costs as much as hashing a short body. */
    static Digester sha256() {
        MessageDigest empty = newSha256();
        return parts -> {
            MessageDigest sha256 = copyOf(empty);
            parts.digestInto(sha256::update);
            return sha256.digest();
        };
    }

    private static MessageDigest copyOf(MessageDigest empty) {
        try {
            return (MessageDigest) empty.clone();
        } catch (CloneNotSupportedException e) {
            return newSha256();
        }
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
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
