package dev.semel.http.key;

import dev.semel.Key;
import java.util.List;
import java.util.Optional;

/**
 * The key that a client sends in a header.
 *
 * <p>{@link #strict(String) Strict} syntax is an RFC 9651 Item of type String: {@code Idempotency-Key: "abc"}.
 * {@link #lenient(String) Lenient} syntax also takes the bare text that most clients send, so that {@code "abc"} and
 * {@code abc} are the same key; what begins with a quote must be a String, and bare text has no comma: two header lines
 * that a proxy has joined to {@code abc, abc} are two keys, and {@code "a,b"} is one. Either way a key is sent once and
 * has, after decoding, 1 to 255 visible ASCII characters. {@link #bare(String) Bare} syntax is the text as it is, quotes
 * included.
 */
public final class IdempotencyKeyHeader implements KeyStrategy {

    /** The name that the IETF draft and most services use. */
    public static final String NAME = "Idempotency-Key";

    private static final int LONGEST_KEY = 255;

    private final String name;
    private final Syntax syntax;

    private enum Syntax {
        STRICT,
        LENIENT,
        BARE
    }

    private IdempotencyKeyHeader(String name, Syntax syntax) {
        this.name = HeaderName.required(name);
        this.syntax = syntax;
    }

    public static IdempotencyKeyHeader strict(String name) {
        return new IdempotencyKeyHeader(name, Syntax.STRICT);
    }

    public static IdempotencyKeyHeader lenient(String name) {
        return new IdempotencyKeyHeader(name, Syntax.LENIENT);
    }

    public static IdempotencyKeyHeader bare(String name) {
        return new IdempotencyKeyHeader(name, Syntax.BARE);
    }

    @Override
    public KeyResult resolve(KeyInput input) {
        List<String> values = input.header(name);
        if (values.isEmpty()) {
            return new KeyResult.Missing("the header " + name);
        }
        if (values.size() > 1) {
            return invalid("was sent " + values.size() + " times; send it once");
        }
        return parse(values.get(0));
    }

    private KeyResult parse(String value) {
        String bare = withoutSpacesAround(value);
        if (bare.isEmpty()) {
            return neverKey("is empty; send a value that is unique to the intent, such as a UUID");
        }
        if (syntax == Syntax.BARE || (syntax == Syntax.LENIENT && bare.charAt(0) != '"')) {
            return bare.indexOf(',') < 0 ? keyOf(bare) : invalid(comma());
        }
        Optional<String> string = StructuredString.parse(value);
        return string.isPresent()
                ? keyOf(string.get())
                : invalid("must be one quoted string as in RFC 9651, such as " + name
                        + ": \"8e03978e-40d5-43dd-bc93-6894a57f9324\"");
    }

    private String comma() {
        return "holds a comma, as if it had been sent more than once and joined to one line; send one key"
                + (syntax == Syntax.BARE
                        ? " without a comma"
                        : ", and put a key that has a comma in quotes, such as \"a,b\"");
    }

    private KeyResult keyOf(String text) {
        if (text.isEmpty()) {
            return neverKey("holds an empty string; send a value that is unique to the intent, such as a UUID");
        }
        if (text.length() > LONGEST_KEY) {
            return neverKey("holds a key of " + text.length() + " characters, at most " + LONGEST_KEY + " are allowed");
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 0x21 || text.charAt(i) > 0x7E) {
                return neverKey("holds a key whose character " + (i + 1)
                        + " is not visible ASCII; letters, digits and punctuation are allowed, spaces are not");
            }
        }
        return new KeyResult.Found(new Key(text));
    }

    private KeyResult invalid(String reason) {
        return new KeyResult.Invalid("the header " + name + " " + reason);
    }

    private KeyResult neverKey(String reason) {
        return new KeyResult.Invalid("the header " + name + " " + reason, true);
    }

    private static String withoutSpacesAround(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && value.charAt(start) == ' ') {
            start++;
        }
        while (end > start && value.charAt(end - 1) == ' ') {
            end--;
        }
        return value.substring(start, end);
    }
}
