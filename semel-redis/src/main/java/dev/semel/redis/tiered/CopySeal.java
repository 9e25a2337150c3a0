package dev.semel.redis.tiered;

import dev.semel.Identity;
import dev.semel.redis.record.Layout;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates copies in Redis with an HMAC-SHA256 over the record's identity and the copy's content. Bytes that were sealed
 * with another secret or for another record, or that are incomplete, are rejected.
 */
final class CopySeal {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SEAL_BYTES = 32;

    /** Initialized with the secret; each use takes a clone, which is cheaper than to initialize another. */
    private final Mac keyed;

    CopySeal(byte[] secret) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Returns the content with its seal in front. */
    byte[] sealed(Identity identity, byte[] content) {
        byte[] seal = seal(identity, content, 0);
        return ByteBuffer.allocate(seal.length + content.length)
                .put(seal)
                .put(content)
                .array();
    }

    /** Returns the content if it was sealed for this record; otherwise null. */
    @Nullable
    ByteBuffer opened(Identity identity, byte[] sealed) {
        if (sealed.length < SEAL_BYTES) {
            return null;
        }
        byte[] seal = Arrays.copyOf(sealed, SEAL_BYTES);
        return MessageDigest.isEqual(seal, seal(identity, sealed, SEAL_BYTES))
                ? ByteBuffer.wrap(sealed, SEAL_BYTES, sealed.length - SEAL_BYTES)
                : null;
    }

    private byte[] seal(Identity identity, byte[] content, int from) {
        byte[] name = Layout.member(identity);
        Mac mac = clone(keyed);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
        mac.update(name);
        mac.update(content, from, content.length - from);
        return mac.doFinal();
    }

    private static Mac clone(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's own " + ALGORITHM + " can be cloned", e);
        }
    }
}
