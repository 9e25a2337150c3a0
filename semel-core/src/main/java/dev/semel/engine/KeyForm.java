package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The form in which keys are stored: as clients send them, or as digests.
 *
 * <p>A digest is {@code h1:} and the HMAC-SHA256 of scope and key in base64url. What a client sends is always digested, also
 * when it looks like a digest, so that no client can address a record by its stored key.
 */
final class KeyForm {

    /** Keys as clients send them. */
    static final KeyForm CLEAR = new KeyForm(null);

    /** As long as the digest: a shorter secret would be what is easiest to guess. */
    private static final int SHORTEST_SECRET = 32;

    private static final String PREFIX = "h1:";
    private static final int DIGEST_LENGTH = PREFIX.length() + 43;

    private final @Nullable SecretKeySpec secret;

    private KeyForm(@Nullable SecretKeySpec secret) {
        this.secret = secret;
    }

    /**
     * Digests with this secret.
     *
     * @throws IllegalArgumentException when the secret is too short
     */
    static KeyForm hashed(byte[] secret) {
        if (secret.length < SHORTEST_SECRET) {
            throw new IllegalArgumentException("the secret for hashed keys has " + secret.length + " bytes, at least "
                    + SHORTEST_SECRET + " are needed; `openssl rand -base64 32` makes a good one");
        }
        return new KeyForm(new SecretKeySpec(secret, "HmacSHA256"));
    }

    boolean isHashed() {
        return secret != null;
    }

    /** Keeps a key in the clear out of a store where keys are hashed: a claim that skipped {@link #stored} is a bug. */
    void requireStored(Identity identity) {
        if (isHashed() && !looksHashed(identity.key())) {
            throw new IllegalStateException("a claim of " + identity + " carries its key in the clear");
        }
    }

    /** Whether a key could be a digest, by its looks. */
    static boolean looksHashed(Key key) {
        String text = key.value();
        if (text.length() != DIGEST_LENGTH || !text.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }

    /** The identity under which the store has the record of what a client sent. */
    Identity stored(Identity sent) {
        if (secret == null) {
            return sent;
        }
        byte[] digest = mac(secret, "key", sent.scope().value(), sent.key().value());
        return new Identity(
                sent.scope(),
                new Key(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(digest)));
    }

    Intent stored(Intent sent) {
        return secret == null
                ? sent
                : sent.identifiedBy(stored(sent.identity())).firstSentAt(KeyTime.of(sent));
    }

    /** The same for the same secret, and of no use to find it. */
    byte[] check() {
        if (secret == null) {
            throw new IllegalStateException("keys in the clear have no secret");
        }
        return mac(secret, "check");
    }

    private static byte[] mac(SecretKeySpec secret, String... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return mac.doFinal(Framed.bytes(parts));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
