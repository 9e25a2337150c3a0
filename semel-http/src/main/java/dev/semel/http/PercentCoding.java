package dev.semel.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of paths and queries, which never fails: what is no escape stays as it is. */
final class PercentCoding {

    private PercentCoding() {}

    /** The bytes that an encoded text stands for; {@code %zz} stands for itself. */
    static byte[] decode(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); ) {
            int value = escapeAt(text, i);
            if (value >= 0) {
                out.write(value);
                i += 3;
            } else {
                int end = i + Character.charCount(text.codePointAt(i));
                out.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end;
            }
        }
        return out.toByteArray();
    }

    /**
     * The text with everything encoded that is not unreserved in RFC 3986, in upper-case hexadecimal. The percent sign of
     * what is no escape stays bare, so that {@code %zz} and {@code %25zz} stay different.
     */
    static String normalize(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int value = escapeAt(text, i);
            if (value >= 0) {
                append(out, (byte) value);
                i += 3;
                continue;
            }
            if (text.charAt(i) == '%') {
                out.append('%');
                i++;
                continue;
            }
            int end = i + Character.charCount(text.codePointAt(i));
            for (byte b : text.substring(i, end).getBytes(StandardCharsets.UTF_8)) {
                append(out, b);
            }
            i = end;
        }
        return out.toString();
    }

    private static void append(StringBuilder out, byte b) {
        char c = (char) (b & 0xFF);
        boolean unreserved =
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
        if (unreserved) {
            out.append(c);
        } else {
            out.append('%')
                    .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                    .append(Character.toUpperCase(Character.forDigit(c & 0xF, 16)));
        }
    }

    private static int escapeAt(String text, int at) {
        if (text.charAt(at) != '%' || at + 2 >= text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at + 1), 16);
        int low = Character.digit(text.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
