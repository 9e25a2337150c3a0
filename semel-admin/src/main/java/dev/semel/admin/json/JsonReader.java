package dev.semel.admin.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads RFC 8259 JSON: objects as maps, arrays as lists, numbers as {@link BigDecimal}. Refuses duplicate names. */
public final class JsonReader {

    /** Deeper than any request of the admin API. */
    private static final int MAX_DEPTH = 16;

    /** Longer than any number of the admin API. */
    private static final int MAX_NUMBER_LENGTH = 40;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads a text that must be an object.
     *
     * @throws IllegalArgumentException when it is not; the message says where
     */
    public static JsonObject object(byte[] utf8) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the body is not UTF-8", e);
        }
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        reader.blanks();
        if (reader.at < text.length()) {
            throw reader.wrong("nothing more");
        }
        if (value instanceof Map<?, ?> map) {
            return JsonObject.of(map);
        }
        throw new IllegalArgumentException("the body is not a JSON object");
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("the body is not JSON: at character " + at + ", expected " + expected);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skip(char expected) {
        blanks();
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw wrong("less nesting");
        }
        blanks();
        if (at >= text.length()) {
            throw wrong("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private @Nullable Object literal(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private Map<String, @Nullable Object> object(int depth) {
        at++;
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (skip('}')) {
            return members;
        }
        do {
            blanks();
            if (at >= text.length() || text.charAt(at) != '"') {
                throw wrong("a name");
            }
            String name = string();
            if (!skip(':')) {
                throw wrong("a colon");
            }
            if (members.containsKey(name)) {
                throw wrong("each name once");
            }
            members.put(name, value(depth + 1));
        } while (skip(','));
        if (!skip('}')) {
            throw wrong("a comma or }");
        }
        return members;
    }

    private List<@Nullable Object> array(int depth) {
        at++;
        List<@Nullable Object> elements = new ArrayList<>();
        if (skip(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
        } while (skip(','));
        if (!skip(']')) {
            throw wrong("a comma or ]");
        }
        return elements;
    }

    private String string() {
        at++;
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return wellFormed(out.toString());
            }
            if (c < ' ') {
                throw wrong("an escaped control character");
            }
            out.append(c == '\\' ? escaped() : c);
        }
        throw wrong("the end of a text");
    }

    /** Half of a surrogate pair is no character: stores could not keep it. */
    private String wellFormed(String read) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(read)) {
            throw wrong("surrogates in pairs before it");
        }
        return read;
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) {
                throw wrong("four hexadecimal digits");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private BigDecimal number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        if (digits.length() > MAX_NUMBER_LENGTH
                || !digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")) {
            at = start;
            throw wrong("a value");
        }
        return new BigDecimal(digits);
    }
}
