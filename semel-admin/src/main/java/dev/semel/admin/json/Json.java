package dev.semel.admin.json;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object that is written. Members that are null are left out. Characters that could end a script or a tag are escaped, so
 * that the text is harmless wherever a page puts it.
 */
public final class Json {

    private final Map<String, Object> members = new LinkedHashMap<>();

    public static Json object() {
        return new Json();
    }

    /**
     * Adds a member.
     *
     * @param value a text, number, boolean, {@link Instant}, {@link Duration} in milliseconds, another object, or a list of these
     */
    public Json with(String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value);
        }
        return this;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        write(out, this);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Json json) {
            writeObject(out, json.members);
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                out.append(separator);
                write(out, element);
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof Duration duration) {
            out.append(duration.toMillis());
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(out, value.toString());
        }
    }

    private static void writeObject(StringBuilder out, Map<String, Object> members) {
        String separator = "";
        out.append('{');
        for (Map.Entry<String, Object> member : members.entrySet()) {
            out.append(separator);
            quote(out, member.getKey());
            out.append(':');
            write(out, member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' '
                    || c == 0x7F
                    || c == '<'
                    || c == '>'
                    || c == '&'
                    || c == 0x2028
                    || c == 0x2029
                    || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
