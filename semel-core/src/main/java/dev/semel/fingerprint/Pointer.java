package dev.semel.fingerprint;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON Pointer (RFC 6901): the way from the whole document, written as the empty text, to one value in it, such as
 * {@code /items/0/price}.
 *
 * <p>In a name, {@code /} is written {@code ~1} and {@code ~} is written {@code ~0}.
 */
public record Pointer(String text) {

    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException when it is not a JSON Pointer; the message says what would be
     */
    public Pointer {
        if (!text.isEmpty() && text.charAt(0) != '/') {
            throw new IllegalArgumentException("not a JSON pointer: \"" + text
                    + "\" does not begin with '/'; a top-level member is written \"/name\", the whole document \"\"");
        }
        for (int tilde = text.indexOf('~'); tilde >= 0; tilde = text.indexOf('~', tilde + 1)) {
            char escape = tilde + 1 < text.length() ? text.charAt(tilde + 1) : ' ';
            if (escape != '0' && escape != '1') {
                throw new IllegalArgumentException("not a JSON pointer: \"" + text + "\" has a '~' at position " + tilde
                        + " that is not part of \"~0\" (for '~') or \"~1\" (for '/')");
            }
        }
    }

    public static Pointer of(String text) {
        return new Pointer(text);
    }

    /** The pointer to a top-level member, whose name may hold any character. */
    public static Pointer toMember(String name) {
        return new Pointer("/" + name.replace("~", "~0").replace("/", "~1"));
    }

    /** The names and indexes to follow, unescaped; empty for the whole document. */
    public List<String> segments() {
        List<String> segments = new ArrayList<>();
        for (int slash = 0; slash < text.length(); ) {
            int next = text.indexOf('/', slash + 1);
            int end = next < 0 ? text.length() : next;
            segments.add(text.substring(slash + 1, end).replace("~1", "/").replace("~0", "~"));
            slash = end;
        }
        return List.copyOf(segments);
    }

    @Override
    public String toString() {
        return text;
    }
}
