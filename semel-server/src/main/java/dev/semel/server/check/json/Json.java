package dev.semel.server.check.json;

import com.nimbusds.jose.util.JSONArrayUtils;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, numbers and booleans: read leniently, written with two spaces of indentation. */
public final class Json {

    private Json() {}

    /** The value of a text that is an object or an array; empty when it is something else. */
    public static Optional<Object> parse(String text) {
        String stripped = text.strip();
        try {
            if (stripped.startsWith("{")) {
                return Optional.of(JSONObjectUtils.parse(stripped));
            }
            return stripped.startsWith("[") ? Optional.of(JSONArrayUtils.parse(stripped)) : Optional.empty();
        } catch (ParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** What a JSON Pointer (RFC 6901) names within a value. */
    public static Optional<Object> at(Object value, String pointer) {
        Object current = value;
        if (pointer.isEmpty()) {
            return Optional.of(current);
        }
        for (String raw : pointer.substring(1).split("/", -1)) {
            String name = raw.replace("~1", "/").replace("~0", "~");
            Object next = null;
            if (current instanceof Map<?, ?> object) {
                next = object.get(name);
            } else if (current instanceof List<?> array && name.matches("[0-9]{1,6}")) {
                int index = Integer.parseInt(name);
                next = index < array.size() ? array.get(index) : null;
            }
            if (next == null) {
                return Optional.empty();
            }
            current = next;
        }
        return Optional.of(current);
    }

    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, "\n");
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value, String newLine) {
        if (value instanceof Map<?, ?> object) {
            writeAll(out, object.entrySet(), newLine, "{}");
        } else if (value instanceof Collection<?> array) {
            writeAll(out, array, newLine, "[]");
        } else if (value instanceof Map.Entry<?, ?> member) {
            writeText(out, String.valueOf(member.getKey()));
            out.append(": ");
            write(out, member.getValue(), newLine);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            writeText(out, value.toString());
        }
    }

    private static void writeAll(StringBuilder out, Collection<?> elements, String newLine, String brackets) {
        if (elements.isEmpty()) {
            out.append(brackets);
            return;
        }
        String deeper = newLine + "  ";
        out.append(brackets.charAt(0));
        String separator = "";
        for (Object element : elements) {
            out.append(separator).append(deeper);
            write(out, element, deeper);
            separator = ",";
        }
        out.append(newLine).append(brackets.charAt(1));
    }

    private static void writeText(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c) || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
