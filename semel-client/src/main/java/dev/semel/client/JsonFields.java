package dev.semel.client;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The strings, numbers and booleans of a JSON object and of the objects directly within it.
 *
 * <p>That is enough to recognize a refusal. Arrays and deeper objects are skipped; of a repeated name the first counts.
 */
final class JsonFields {

    /** Deeper than any problem document; without a limit, a body could exhaust the stack. */
    private static final int MAX_DEPTH = 32;

    /** Fields are kept from the outermost object and the objects directly within it. */
    private static final int MAX_KEPT_DEPTH = 2;

    private final String json;
    private final Map<String, String> fields = new HashMap<>();
    private int at;

    private JsonFields(String json) {
        this.json = json;
    }

    /** Returns the fields; empty when the body is no complete JSON object. */
    static Map<String, String> of(byte[] body) {
        JsonFields reader = new JsonFields(new String(body, StandardCharsets.UTF_8));
        return reader.readAll() ? Map.copyOf(reader.fields) : Map.of();
    }

    private boolean readAll() {
        space();
        if (!object("", 1)) {
            return false;
        }
        space();
        return at == json.length();
    }

    private boolean object(String prefix, int depth) {
        if (!take('{')) {
            return false;
        }
        space();
        if (take('}')) {
            return true;
        }
        do {
            space();
            String name = text();
            space();
            if (name == null || !take(':') || !value(prefix + name, depth)) {
                return false;
            }
            space();
        } while (take(','));
        return take('}');
    }

    private boolean array(int depth) {
        if (!take('[')) {
            return false;
        }
        space();
        if (take(']')) {
            return true;
        }
        do {
            if (!value("", Math.max(depth, MAX_KEPT_DEPTH + 1))) {
                return false;
            }
            space();
        } while (take(','));
        return take(']');
    }

    private boolean value(String name, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        space();
        if (peek('{')) {
            return object(name + ".", depth + 1);
        }
        if (peek('[')) {
            return array(depth + 1);
        }
        String scalar = peek('"') ? text() : word();
        if (scalar == null) {
            return false;
        }
        if (depth <= MAX_KEPT_DEPTH) {
            fields.putIfAbsent(name, scalar);
        }
        return true;
    }

    private @Nullable String text() {
        if (!take('"')) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        while (at < json.length()) {
            char c = json.charAt(at++);
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\' && !escaped(text)) {
                return null;
            } else if (c != '\\') {
                text.append(c);
            }
        }
        return null;
    }

    private boolean escaped(StringBuilder text) {
        if (at == json.length()) {
            return false;
        }
        char c = json.charAt(at++);
        switch (c) {
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case '"', '\\', '/' -> text.append(c);
            case 'u' -> {
                int code = at + 4 <= json.length() ? hex(json.substring(at, at + 4)) : -1;
                if (code < 0) {
                    return false;
                }
                at += 4;
                text.append((char) code);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static int hex(String digits) {
        int code = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            code = code * 16 + digit;
        }
        return code;
    }

    /** Reads a number or one of the three literals, without checking which. */
    private @Nullable String word() {
        int start = at;
        while (at < json.length() && isOfWord(json.charAt(at))) {
            at++;
        }
        return at == start ? null : json.substring(start, at);
    }

    private static boolean isOfWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'E';
    }

    private boolean peek(char expected) {
        return at < json.length() && json.charAt(at) == expected;
    }

    private boolean take(char expected) {
        if (!peek(expected)) {
            return false;
        }
        at++;
        return true;
    }

    private void space() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }
}
