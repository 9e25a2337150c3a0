package dev.semel.fingerprint;

/**
 * The order of member names by their UTF-16 units, found from their canonical spelling in UTF-8.
 *
 * <p>Bytes of UTF-8 sort as code points do, which is the order of UTF-16 units but for one thing: the surrogates that
 * spell characters beyond the basic plane come before U+E000. An escape counts as the character that it stands for.
 */
final class NameOrder {

    private static final int END_OF_NAME = -1;
    private static final int FIRST_BYTE_OF_U_E000 = 0xEE;
    private static final int FIRST_BYTE_BEYOND_THE_BASIC_PLANE = 0xF0;

    /** More than any first byte, so that U+E000 to U+FFFF come last. */
    private static final int LAST = 0x100;

    private NameOrder() {}

    /** Compares the names whose opening quotes are at these positions. */
    static int compare(byte[] text, int oneQuote, int otherQuote) {
        int one = oneQuote + 1;
        int other = otherQuote + 1;
        while (true) {
            byte b = text[one];
            if (b == text[other] && b != '"' && b != '\\') {
                one++;
                other++;
                continue;
            }
            int rank = rank(text, one);
            int difference = rank - rank(text, other);
            if (difference != 0 || rank == END_OF_NAME) {
                return difference;
            }
            int escape = CanonicalText.lengthOfEscape(text, one);
            one += escape;
            other += escape;
        }
    }

    private static int rank(byte[] text, int at) {
        int b = text[at] & 0xFF;
        if (b == '"') {
            return END_OF_NAME;
        }
        if (b == '\\') {
            return CanonicalText.unescaped(text, at);
        }
        return b >= FIRST_BYTE_OF_U_E000 && b < FIRST_BYTE_BEYOND_THE_BASIC_PLANE ? LAST + b : b;
    }
}
