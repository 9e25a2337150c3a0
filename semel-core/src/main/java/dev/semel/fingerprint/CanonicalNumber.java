package dev.semel.fingerprint;

import java.math.BigInteger;

/**
 * The one spelling of a JSON number's exact decimal value, laid out as ECMAScript lays numbers out.
 *
 * <p>The value is never converted to binary floating point and never expanded: the digits of the text are kept without
 * the zeros around them, and the exponent is only added to. So {@code 1e999999999} costs no more than {@code 1e9}.
 */
final class CanonicalNumber {

    /** ECMAScript writes a number without an exponent up to 21 digits before the point. */
    private static final int RIGHTMOST_POINT = 21;

    /** ECMAScript writes a number without an exponent up to five zeros between the point and the first digit. */
    private static final int LEFTMOST_POINT = -5;

    private CanonicalNumber() {}

    /** Spells the value of a number that is written in the grammar of RFC 8259. */
    static String of(String text) {
        boolean negative = text.charAt(0) == '-';
        int exponentMark = Math.max(text.indexOf('e'), text.indexOf('E'));
        String mantissa = text.substring(negative ? 1 : 0, exponentMark < 0 ? text.length() : exponentMark);
        int point = mantissa.indexOf('.');
        String padded = point < 0 ? mantissa : mantissa.substring(0, point) + mantissa.substring(point + 1);
        int first = 0;
        while (first < padded.length() && padded.charAt(first) == '0') {
            first++;
        }
        if (first == padded.length()) {
            return "0";
        }
        int end = padded.length();
        while (padded.charAt(end - 1) == '0') {
            end--;
        }
        String digits = padded.substring(first, end);
        BigInteger pointAt = BigInteger.valueOf((point < 0 ? mantissa.length() : point) - first);
        if (exponentMark >= 0) {
            pointAt = pointAt.add(new BigInteger(text.substring(exponentMark + 1)));
        }
        return (negative ? "-" : "") + laidOut(digits, pointAt);
    }

    /** Spells 0.{@code digits} × 10^{@code pointAt}, where the digits neither begin nor end with a zero. */
    private static String laidOut(String digits, BigInteger pointAt) {
        boolean plain = pointAt.bitLength() < Integer.SIZE
                && pointAt.intValue() >= LEFTMOST_POINT
                && pointAt.intValue() <= RIGHTMOST_POINT;
        if (!plain) {
            BigInteger exponent = pointAt.subtract(BigInteger.ONE);
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            return digits.charAt(0) + fraction + "e" + (exponent.signum() < 0 ? "" : "+") + exponent;
        }
        int at = pointAt.intValue();
        if (at <= 0) {
            return "0." + "0".repeat(-at) + digits;
        }
        if (at >= digits.length()) {
            return digits + "0".repeat(at - digits.length());
        }
        return digits.substring(0, at) + "." + digits.substring(at);
    }
}
