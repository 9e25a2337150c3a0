package dev.semel;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;

/**
 * A versioned digest of what a request means, such as {@code v1:9f86d0…}; the same key with another fingerprint is
 * misuse.
 *
 * <p>It is never part of a record's identity.
 */
public record Fingerprint(String value) {

    private static final Pattern FORM = Pattern.compile("v[0-9]+(?:\\.[A-Za-z0-9_-]{1,32})?:[A-Za-z0-9_-]{1,128}");

    public Fingerprint {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a fingerprint: expected a version, a colon and a digest");
        }
    }

    /** The version, with the id of the HMAC key where one was used: everything before the colon. */
    public String version() {
        return value.substring(0, value.indexOf(':'));
    }

    /** Compares in time that does not depend on where the two differ. */
    public boolean matches(Fingerprint other) {
        return MessageDigest.isEqual(
                value.getBytes(StandardCharsets.US_ASCII), other.value.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return value;
    }
}
