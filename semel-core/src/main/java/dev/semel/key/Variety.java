package dev.semel.key;

/** How many different characters a text has, and of how many kinds. */
final class Variety {

    /** From here on a key is long enough: 16 hex digits are 64 random bits. */
    private static final int LONG_ENOUGH = 16;

    /** What about all random keys of 12 and more letters and digits have. */
    private static final int ENOUGH_DIFFERENT = 10;

    /** Of 16 random hex digits, one in a thousand million has fewer; the UUID of zeros has two. */
    private static final int FEWEST_DIFFERENT = 4;

    private static final long DIGITS = 0x03FF_0000_0000_0000L;

    /** Behind the first 64 characters, as letters are. */
    private static final long UPPER = 0x0000_0000_07FF_FFFEL;

    private static final long LOWER = 0x07FF_FFFE_0000_0000L;

    private Variety() {}

    static boolean isLow(String text) {
        long low = 0;
        long high = 0;
        long beyondAscii = 0;
        boolean lower = false;
        boolean upper = false;
        boolean digit = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 64) {
                low |= 1L << c;
            } else if (c < 128) {
                high |= 1L << (c - 64);
            } else {
                // Two of them may fall together, which counts them as one.
                beyondAscii |= 1L << (c & 63);
                lower |= Character.isLowerCase(c);
                upper |= Character.isUpperCase(c);
                digit |= Character.isDigit(c);
            }
        }
        lower |= (high & LOWER) != 0;
        upper |= (high & UPPER) != 0;
        digit |= (low & DIGITS) != 0;
        int different = Long.bitCount(low) + Long.bitCount(high) + Long.bitCount(beyondAscii);
        if (different < FEWEST_DIFFERENT) {
            return true;
        }
        return text.length() < LONG_ENOUGH && (different < ENOUGH_DIFFERENT || !(lower && upper && digit));
    }
}
