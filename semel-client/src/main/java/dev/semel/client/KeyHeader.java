package dev.semel.client;

import java.util.regex.Pattern;

/**
 * How a key is sent.
 *
 * @param name of the header
 * @param quoted whether the value is an RFC 9651 String, as the IETF draft has it, or the key as it is
 */
record KeyHeader(String name, boolean quoted) {

    private static final int LONGEST_KEY = 255;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    KeyHeader {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "not a header name: \"" + name + "\"; letters, digits and '-' are, such as \"Idempotency-Key\"");
        }
    }

    /** The value of the header for a key. */
    String valueOf(String key) {
        if (!quoted) {
            if (key.startsWith("\"")) {
                throw new IllegalArgumentException(
                        "the key begins with a quote, which servers take for the beginning of"
                                + " an RFC 9651 String: leave it out, or use quotedKeys()");
            }
            if (key.indexOf(',') >= 0) {
                throw new IllegalArgumentException("the key has a comma, which servers take for the end of a first key:"
                        + " leave it out, or use quotedKeys()");
            }
            return key;
        }
        return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static String requireKey(String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "the key has " + key.length() + " characters, it must have 1 to " + LONGEST_KEY);
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < 0x21 || key.charAt(i) > 0x7E) {
                throw new IllegalArgumentException("character " + (i + 1) + " of the key is not visible ASCII;"
                        + " letters, digits and punctuation are allowed, spaces are not");
            }
        }
        return key;
    }
}
