package dev.semel.http.key;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A reader of one HTTP field value that must be an RFC 9651 Item of type String, such as {@code "abc"} or
 * {@code "abc";v=1}.
 *
 * <p>Parameters must be well formed and are then ignored, as the RFC requires of fields that define none.
 */
final class StructuredString {

    private static final int END = -1;

    private final String input;
    private int at;

    private StructuredString(String input) {
        this.input = input;
    }

    /** The text within the quotes, unescaped; nothing when the value is anything but a String item. */
    static Optional<String> parse(String fieldValue) {
        StructuredString reader = new StructuredString(fieldValue);
        try {
            reader.skipSpaces();
            String text = reader.string();
            reader.parameters();
            reader.skipSpaces();
            reader.require(reader.peek() == END);
            return Optional.of(text);
        } catch (MalformedException e) {
            return Optional.empty();
        }
    }

    private String string() throws MalformedException {
        StringBuilder text = new StringBuilder();
        require(next() == '"');
        for (int c = next(); c != '"'; c = next()) {
            if (c == '\\') {
                c = next();
                require(c == '"' || c == '\\');
            }
            require(c >= 0x20 && c <= 0x7E);
            text.append((char) c);
        }
        return text.toString();
    }

    private void parameters() throws MalformedException {
        while (peek() == ';') {
            next();
            skipSpaces();
            int first = next();
            require(isLowerAlpha(first) || first == '*');
            while (isLowerAlpha(peek()) || isDigit(peek()) || isOneOf("_-.*", peek())) {
                next();
            }
            if (peek() == '=') {
                next();
                bareItem();
            }
        }
    }

    private void bareItem() throws MalformedException {
        int first = peek();
        if (first == '"') {
            string();
        } else if (first == '-' || isDigit(first)) {
            number(true);
        } else if (first == '*' || isAlpha(first)) {
            token();
        } else if (first == ':') {
            byteSequence();
        } else if (first == '?') {
            next();
            int bit = next();
            require(bit == '0' || bit == '1');
        } else if (first == '@') {
            next();
            number(false);
        } else {
            displayString();
        }
    }

    /** An Integer has up to 15 digits; a Decimal up to 12, a point, and 1 to 3 more. */
    private void number(boolean decimalAllowed) throws MalformedException {
        if (peek() == '-') {
            next();
        }
        int whole = digits();
        require(whole >= 1 && whole <= 15);
        if (peek() == '.') {
            require(decimalAllowed && whole <= 12);
            next();
            int fraction = digits();
            require(fraction >= 1 && fraction <= 3);
        }
    }

    private int digits() throws MalformedException {
        int start = at;
        while (isDigit(peek())) {
            next();
        }
        return at - start;
    }

    private void token() throws MalformedException {
        do {
            next();
        } while (isAlpha(peek()) || isDigit(peek()) || isOneOf("!#$%&'*+-.^_`|~:/", peek()));
    }

    /**
     * Base64 (RFC 4648, section 4) between colons. Padding stands at the end and is complete; the RFC asks that a sequence
     * without any, and one with bits left over, be accepted all the same.
     */
    private void byteSequence() throws MalformedException {
        next();
        int digits = 0;
        while (isAlpha(peek()) || isDigit(peek()) || isOneOf("+/", peek())) {
            next();
            digits++;
        }
        int padding = 0;
        while (peek() == '=') {
            next();
            padding++;
        }
        require(next() == ':');
        int missing = (4 - digits % 4) % 4;
        require(missing < 3 && (padding == 0 || padding == missing));
    }

    private void displayString() throws MalformedException {
        require(next() == '%' && next() == '"');
        ByteBuffer decoded = ByteBuffer.allocate(input.length());
        for (int c = next(); c != '"'; c = next()) {
            require(c >= 0x20 && c <= 0x7E);
            decoded.put((byte) (c == '%' ? lowerHex() << 4 | lowerHex() : c));
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(decoded.flip());
        } catch (CharacterCodingException e) {
            throw new MalformedException();
        }
    }

    private int lowerHex() throws MalformedException {
        int c = next();
        require(isDigit(c) || (c >= 'a' && c <= 'f'));
        return Character.digit(c, 16);
    }

    private void skipSpaces() throws MalformedException {
        while (peek() == ' ') {
            next();
        }
    }

    private int peek() {
        return at < input.length() ? input.charAt(at) : END;
    }

    private int next() throws MalformedException {
        require(at < input.length());
        return input.charAt(at++);
    }

    private void require(boolean wellFormed) throws MalformedException {
        if (!wellFormed) {
            throw new MalformedException();
        }
    }

    private static boolean isLowerAlpha(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isAlpha(int c) {
        return isLowerAlpha(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isOneOf(String characters, int c) {
        return characters.indexOf(c) >= 0;
    }

    /** Ends the reading of a malformed value; costs no stack trace, since clients can cause it at will. */
    private static final class MalformedException extends Exception {

        MalformedException() {
            super(null, null, false, false);
        }
    }
}
