package dev.semel.fingerprint;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * The one spelling of a JSON number's exact decimal value, laid out as ECMAScript lays numbers out.
 *
 * <p>The value is never converted to binary floating point and never expanded: the digits of the text are kept without
 * the zeros around them, and the exponent is only added to. So {@code 1e999999999} costs no more than {@code 1e9}.
 *
 * <p>An instance serves one document, number after number.
 */
final class CanonicalNumber {

    /** ECMAScript writes a number without an exponent up to 21 digits before the point. */
    private static final int RIGHTMOST_POINT = 21;

    /** ECMAScript writes a number without an exponent up to five zeros between the point and the first digit. */
    private static final int LEFTMOST_POINT = -5;

    /** An integer of so many characters, its sign included, is canonical as it is, unless it is {@code -0}. */
    private static final int LONGEST_SELF_CANONICAL_INTEGER = 21;

    /** An exponent of so many digits fits a long, also with the places of the digits added. */
    private static final int MOST_DIGITS_OF_A_LONG = 17;

    private final byte[] text;
    private final ByteSink out;
    private int first;
    private int point;
    private int count;

    CanonicalNumber(byte[] text, ByteSink out) {
        this.text = text;
        this.out = out;
    }

    /** Writes the value of the integer between these positions. */
    void writeInteger(int from, int to) {
        boolean minusZero = to - from == 2 && text[from] == '-' && text[from + 1] == '0';
        if (to - from <= LONGEST_SELF_CANONICAL_INTEGER && !minusZero) {
            out.write(text, from, to - from);
        } else {
            write(from, to);
        }
    }

    /** Writes the value of the number between these positions, which is written in the grammar of RFC 8259. */
    void write(int from, int to) {
        boolean negative = text[from] == '-';
        int mantissa = negative ? from + 1 : from;
        int end = mantissa;
        point = to;
        while (end < to && text[end] != 'e' && text[end] != 'E') {
            if (text[end] == '.') {
                point = end;
            }
            end++;
        }
        point = Math.min(point, end);
        first = mantissa;
        while (first < end && isPadding(text[first])) {
            first++;
        }
        if (first == end) {
            out.write('0');
            return;
        }
        int last = end - 1;
        while (isPadding(text[last])) {
            last--;
        }
        count = last - first + (first < point && point < last ? 0 : 1);
        int pointAt = first < point ? point - first : point + 1 - first;
        if (negative) {
            out.write('-');
        }
        if (end == to) {
            layOut(pointAt);
        } else {
            layOut(pointAt, text[end + 1] == '+' ? end + 2 : end + 1, to);
        }
    }

    private static boolean isPadding(byte b) {
        return b == '0' || b == '.';
    }

    /** Writes 0.{@code digits} × 10^({@code pointAt} + exponent), where the exponent is the text between the positions. */
    private void layOut(int pointAt, int exponentFrom, int exponentTo) {
        boolean negative = text[exponentFrom] == '-';
        int digits = negative ? exponentFrom + 1 : exponentFrom;
        while (digits < exponentTo && text[digits] == '0') {
            digits++;
        }
        if (exponentTo - digits > MOST_DIGITS_OF_A_LONG) {
            String exponent = new String(text, exponentFrom, exponentTo - exponentFrom, StandardCharsets.US_ASCII);
            writeWithExponent(
                    !negative,
                    new BigInteger(exponent)
                            .add(BigInteger.valueOf(pointAt - 1L))
                            .toString());
            return;
        }
        long exponent = 0;
        for (int i = digits; i < exponentTo; i++) {
            exponent = 10 * exponent + text[i] - '0';
        }
        layOut(pointAt + (negative ? -exponent : exponent));
    }

    /** Writes 0.{@code digits} × 10^{@code pointAt}, where the digits neither begin nor end with a zero. */
    private void layOut(long pointAt) {
        if (pointAt < LEFTMOST_POINT || pointAt > RIGHTMOST_POINT) {
            writeWithExponent(pointAt > 0, String.valueOf(pointAt - 1));
        } else if (pointAt <= 0) {
            out.writeAscii("0.");
            writeZeros((int) -pointAt);
            writeDigits(0, count);
        } else if (pointAt >= count) {
            writeDigits(0, count);
            writeZeros((int) pointAt - count);
        } else {
            writeDigits(0, (int) pointAt);
            out.write('.');
            writeDigits((int) pointAt, count);
        }
    }

    private void writeWithExponent(boolean positive, String exponent) {
        writeDigits(0, 1);
        if (count > 1) {
            out.write('.');
            writeDigits(1, count);
        }
        out.write('e');
        if (positive) {
            out.write('+');
        }
        out.writeAscii(exponent);
    }

    /** Writes digits by their number, where the first one is not zero; the point among them is not counted. */
    private void writeDigits(int from, int to) {
        for (int i = from; i < to; i++) {
            int at = first + i;
            out.write(text[first < point && at >= point ? at + 1 : at]);
        }
    }

    private void writeZeros(int zeros) {
        for (int i = 0; i < zeros; i++) {
            out.write('0');
        }
    }
}
