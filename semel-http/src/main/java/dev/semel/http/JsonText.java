package dev.semel.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as JSON text, in the order in which they are given. */
final class JsonText {

    private JsonText() {}

    /** The JSON of text, a number, a boolean, null, or a map or list of them. */
    static String of(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        append(value, out);
        return out.toString();
    }

    private static void append(@Nullable Object value, StringBuilder out) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            appendMap(map, out);
        } else if (value instanceof Iterable<?> list) {
            String separator = "[";
            for (Object element : list) {
                append(element, out.append(separator));
                separator = ",";
            }
            out.append(separator.equals("[") ? "[]" : "]");
        } else {
            out.append(quoted(value.toString()));
        }
    }

    private static void appendMap(Map<?, ?> map, StringBuilder out) {
        String separator = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            out.append(separator)
                    .append(quoted(String.valueOf(member.getKey())))
                    .append(':');
            append(member.getValue(), out);
            separator = ",";
        }
        out.append(separator.equals("{") ? "{}" : "}");
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7F || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
