package dev.semel.client;

import java.util.regex.Pattern;

/**
 * The header that carries the key.
 *
 * @param quoted whether the value is an RFC 9651 String, as in the IETF draft, or the key without quotes
 */
record KeyHeader(String name, boolean quoted) {

    private static final int MAX_KEY_LENGTH = 255;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    KeyHeader {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no header name: use letters, digits and '-', as in \"Idempotency-Key\"");
        }
    }

    /** Returns the value of the header for a key. */
    String valueOf(String key) {
        if (!quoted) {
            if (key.startsWith("\"")) {
                throw new IllegalArgumentException(
                        "the key starts with a quote, which servers take for the start of an RFC 9651 String:"
                                + " leave it out, or use quotedKeys()");
            }
            if (key.indexOf(',') >= 0) {
                throw new IllegalArgumentException(
                        "the key contains a comma, which servers take for the end of a first key:"
                                + " leave it out, or use quotedKeys()");
            }
            return key;
        }
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static String requireKey(String key) {
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "the key has " + key.length() + " characters, it must have 1 to " + MAX_KEY_LENGTH);
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < 0x21 || key.charAt(i) > 0x7E) {
                throw new IllegalArgumentException("character " + (i + 1) + " of the key is not visible ASCII:"
                        + " use letters, digits and punctuation, no spaces");
            }
        }
        return key;
    }
}
