package dev.semel;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A client's identifier of one intent, repeated on every retry: 1 to 255 characters, compared exactly.
 *
 * <p>Two keys that differ in case, in trailing spaces or in Unicode normalization are different keys. A key may carry
 * what its client should not have put there, so {@link #toString()} shows a hash prefix only.
 */
public record Key(String value) {

    /**
     * Checks the value.
     *
     * @throws InvalidKeyException when the value is empty, too long, or holds control characters
     */
    public Key {
        String defect = Text.defectOf(value);
        if (!defect.isEmpty()) {
            throw new InvalidKeyException("the key " + defect);
        }
    }

    public static Key of(String value) {
        return new Key(value);
    }

    /** A stable name for logs that does not reveal the key: the first eight hex digits of its SHA-256. */
    public String redacted() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return "key#" + HexFormat.of().formatHex(digest, 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return redacted();
    }
}
