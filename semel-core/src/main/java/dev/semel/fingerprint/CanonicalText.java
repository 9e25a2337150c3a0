package dev.semel.fingerprint;

import java.nio.charset.StandardCharsets;

/** The canonical spelling of a string, read back. */
final class CanonicalText {

    /** A backslash and one character, or a backslash, {@code u} and four digits, of which the first two are zero. */
    private static final int SHORT_ESCAPE = 2;

    private static final int LONG_ESCAPE = 6;

    private CanonicalText() {}

    /** The text whose canonical spelling lies between these positions, quotes included. */
    static String of(byte[] spelled, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        int plain = from + 1;
        for (int i = plain; i < to - 1; i++) {
            if (spelled[i] == '\\') {
                text.append(utf8(spelled, plain, i)).append(unescaped(spelled, i));
                plain = i + lengthOfEscape(spelled, i);
                i = plain - 1;
            }
        }
        return text.append(utf8(spelled, plain, to - 1)).toString();
    }

    private static String utf8(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    static int lengthOfEscape(byte[] spelled, int backslash) {
        return spelled[backslash + 1] == 'u' ? LONG_ESCAPE : SHORT_ESCAPE;
    }

    /** The character that the escape at this position stands for. */
    static char unescaped(byte[] spelled, int backslash) {
        char c = (char) spelled[backslash + 1];
        return switch (c) {
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'u' ->
                (char) (Character.digit(spelled[backslash + 4], 16) << 4 | Character.digit(spelled[backslash + 5], 16));
            default -> c;
        };
    }
}
