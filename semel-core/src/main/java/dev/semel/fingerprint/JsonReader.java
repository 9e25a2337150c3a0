package dev.semel.fingerprint;

/**
 * A position in a JSON text that moves on token by token, strictly by the grammar of RFC 8259.
 *
 * <p>The text is UTF-8, which the caller has checked. Nothing is kept of what was read: strings are copied
 * into a sink in their canonical spelling, and of a number only its end.
 */
final class JsonReader {

    /** What {@link #peek()} finds behind the last byte: no value that a byte has. */
    static final int END = 256;

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final byte[] text;
    private int at;

    JsonReader(byte[] text) {
        this.text = text;
    }

    int position() {
        return at;
    }

    /** The next byte that is not white space, which stays unread. */
    int peek() {
        while (at < text.length && isSpace(text[at])) {
            at++;
        }
        return at < text.length ? text[at] : END;
    }

    /** Moves past the byte that was peeked at. */
    void skip() {
        at++;
    }

    void expect(char c) throws NotCanonicalException {
        if (peek() != c) {
            throw invalid();
        }
        at++;
    }

    /** Whether the position is at white space or at the end. */
    boolean isBetweenTokens() {
        return at >= text.length || isSpace(text[at]);
    }

    /** Reads {@code true}, {@code false} or {@code null}. */
    void literal(String literal) throws NotCanonicalException {
        for (int i = 0; i < literal.length(); i++) {
            if (next() != literal.charAt(i)) {
                throw invalid();
            }
        }
    }

    /** Reads a number, and tells whether it is written as an integer. */
    boolean number() throws NotCanonicalException {
        if (text[at] == '-') {
            at++;
        }
        boolean leadingZero = at < text.length && text[at] == '0';
        int whole = at;
        digits();
        if (leadingZero && at > whole + 1) {
            throw invalid();
        }
        boolean integer = true;
        if (at < text.length && text[at] == '.') {
            integer = false;
            at++;
            digits();
        }
        if (at < text.length && (text[at] == 'e' || text[at] == 'E')) {
            integer = false;
            at++;
            if (at < text.length && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits();
        }
        return integer;
    }

    private void digits() throws NotCanonicalException {
        int first = at;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        if (at == first) {
            throw invalid();
        }
    }

    /** Reads a string and writes it with its quotes, escaped in the one canonical way. */
    void copyString(ByteSink out) throws NotCanonicalException {
        expect('"');
        int from = at - 1;
        while (true) {
            skipPlain();
            int c = next();
            if (c == '"') {
                out.write(text, from, at - from);
                return;
            }
            if (c != '\\') {
                throw invalid();
            }
            out.write(text, from, at - 1 - from);
            copyEscape(out);
            from = at;
        }
    }

    /** Moves to the next byte that ends a string, begins an escape, or may not be in a string. */
    private void skipPlain() {
        int i = at;
        while (i < text.length && text[i] != '"' && text[i] != '\\' && (text[i] & 0xE0) != 0) {
            i++;
        }
        at = i;
    }

    private void copyEscape(ByteSink out) throws NotCanonicalException {
        int c = next();
        switch (c) {
            case '"', '\\' -> out.write('\\').write(c);
            case 'b', 'f', 'n', 'r', 't' -> out.write('\\').write(c);
            case '/' -> out.write('/');
            case 'u' -> copyUnit(out, unit());
            default -> throw invalid();
        }
    }

    private void copyUnit(ByteSink out, char unit) throws NotCanonicalException {
        if (unit < 0x20) {
            writeControl(out, unit);
        } else if (unit == '"' || unit == '\\') {
            out.write('\\').write(unit);
        } else if (!Character.isSurrogate(unit)) {
            out.writeUtf8(unit);
        } else {
            out.writeUtf8(Character.toCodePoint(unit, lowSurrogateAfter(unit)));
        }
    }

    /** In UTF-8 a surrogate can only be escaped, so that its other half must follow as an escape too. */
    private char lowSurrogateAfter(char high) throws NotCanonicalException {
        boolean escapeFollows = at + 1 < text.length && text[at] == '\\' && text[at + 1] == 'u';
        if (Character.isHighSurrogate(high) && escapeFollows) {
            at += 2;
            char low = unit();
            if (Character.isLowSurrogate(low)) {
                return low;
            }
        }
        throw new NotCanonicalException("a string has an unpaired surrogate");
    }

    private char unit() throws NotCanonicalException {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw invalid();
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }

    private static void writeControl(ByteSink out, char c) {
        switch (c) {
            case '\b' -> out.writeAscii("\\b");
            case '\t' -> out.writeAscii("\\t");
            case '\n' -> out.writeAscii("\\n");
            case '\f' -> out.writeAscii("\\f");
            case '\r' -> out.writeAscii("\\r");
            default -> out.writeAscii("\\u00").write(HEX[c >> 4]).write(HEX[c & 0xF]);
        }
    }

    private int next() throws NotCanonicalException {
        if (at >= text.length) {
            throw invalid();
        }
        return text[at++];
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    static NotCanonicalException invalid() {
        return new NotCanonicalException("it is not valid JSON");
    }
}
