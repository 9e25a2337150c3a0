package dev.semel.http.servlet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A reader of {@code application/x-www-form-urlencoded} that never fails: what is no escape stays as it is. */
final class UrlEncodedPairs {

    private UrlEncodedPairs() {}

    /** Adds each pair to its name's values. The characters of the text are bytes. */
    static void parse(String text, Charset charset, Map<String, List<String>> into) {
        for (String pair : text.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            into.computeIfAbsent(decode(name, charset), key -> new ArrayList<>())
                    .add(decode(value, charset));
        }
    }

    private static String decode(String text, Charset charset) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (bytes[i] == '%' && high >= 0 && low >= 0) {
                out.write(high << 4 | low);
                i += 2;
            } else {
                out.write(bytes[i] == '+' ? ' ' : bytes[i]);
            }
        }
        return out.toString(charset);
    }
}
