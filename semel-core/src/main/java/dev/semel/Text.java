package dev.semel;

/**
 * The rule that every identifier Semel stores must keep, so that each store can hold it and give it back unchanged.
 */
final class Text {

    /**
     * 255 UTF-16 units are at most 765 bytes of UTF-8, so that scope and key together fit into one index entry of every
     * database we store them in (the narrowest allows 2,704 bytes).
     */
    static final int MAX_LENGTH = 255;

    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private Text() {}

    /** Returns what is wrong with the text, or an empty string. */
    static String defectOf(String text) {
        if (text.isEmpty()) {
            return "is empty";
        }
        if (text.length() > MAX_LENGTH) {
            return "has " + text.length() + " characters, at most " + MAX_LENGTH + " are allowed";
        }
        return isPlain(text) ? "" : defectOfCharacters(text);
    }

    /** The text with a question mark for whatever no store could hold or no line could show, cut to this length. */
    static String onOneLine(String text, int longest) {
        if (text.length() <= longest && isPlain(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder(Math.min(text.length(), longest));
        text.codePoints().limit(longest).forEach(c -> {
            boolean fit = !Character.isISOControl(c)
                    && c != LINE_SEPARATOR
                    && c != PARAGRAPH_SEPARATOR
                    && Character.getType(c) != Character.SURROGATE;
            line.appendCodePoint(fit ? c : '?');
        });
        if (text.codePointCount(0, text.length()) > longest) {
            line.setLength(line.offsetByCodePoints(line.length(), -1));
            line.append('…');
        }
        return line.toString();
    }

    /** Whether all is printable ASCII, as in nearly every identifier; every request asks, so this comes first. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }

    private static String defectOfCharacters(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return "has a control character at position " + i;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return "has an unpaired surrogate at position " + i;
            }
        }
        return "";
    }
}
