package dev.semel;

/**
 * A versioned digest of what a request means, such as {@code v1:9f86d0…}; the same key with another fingerprint is
 * misuse.
 *
 * <p>It is never part of a record's identity.
 */
public record Fingerprint(String value) {

    private static final int LONGEST_KEY_ID = 32;
    private static final int LONGEST_DIGEST = 128;

    public Fingerprint {
        if (!isWellFormed(value)) {
            throw new IllegalArgumentException("not a fingerprint: expected a version, a colon and a digest");
        }
    }

    /** Whether the text is {@code v1:digest} or {@code v1.key-id:digest}; by hand, since every request makes one. */
    private static boolean isWellFormed(String text) {
        int colon = text.indexOf(':');
        if (colon < 0 || text.charAt(0) != 'v') {
            return false;
        }
        int dot = text.indexOf('.');
        boolean keyed = dot >= 0 && dot < colon;
        int digits = keyed ? dot : colon;
        for (int i = 1; i < digits; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return digits > 1
                && (!keyed || isName(text, dot + 1, colon, LONGEST_KEY_ID))
                && isName(text, colon + 1, text.length(), LONGEST_DIGEST);
    }

    private static boolean isName(String text, int from, int to, int longest) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
                return false;
            }
        }
        return from < to && to - from <= longest;
    }

    /** The version, with the id of the HMAC key where one was used: everything before the colon. */
    public String version() {
        return value.substring(0, value.indexOf(':'));
    }

    /** Compares in time that does not depend on where the two differ. */
    public boolean matches(Fingerprint other) {
        int length = value.length();
        if (length != other.value.length()) {
            return false;
        }
        int difference = 0;
        for (int i = 0; i < length; i++) {
            difference |= value.charAt(i) ^ other.value.charAt(i);
        }
        return difference == 0;
    }

    @Override
    public String toString() {
        return value;
    }
}
