package dev.semel.key;

/**
 * Recognizes personal data in a text, reading each character a fixed number of times.
 *
 * <p>Numbers are looked for in <em>stretches</em>: digits, and separators between them, that neither begin nor end beside a
 * letter or another digit. So a number within a random text is none. UUIDs are left out, since their groups have hyphens
 * between them, and some of them decimal digits only.
 */
final class PersonalData {

    private static final int UUID_LENGTH = 36;

    private static final int FEWEST_CARD_DIGITS = 13;
    private static final int MOST_CARD_DIGITS = 19;

    /** With the country's; E.164 allows no more than fifteen, and there are hardly any with fewer than eight. */
    private static final int FEWEST_PHONE_DIGITS = 8;

    private static final int MOST_PHONE_DIGITS = 15;

    /** After 00, since numbers of documents are often filled up with zeros to ten digits. */
    private static final int FEWEST_PHONE_DIGITS_AFTER_ZEROS = 10;

    private PersonalData() {}

    static boolean hasEmailAddress(String text) {
        if (text.indexOf('@') < 0 && !text.contains("%40")) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            int domain = afterAt(text, i);
            if (domain > i && isLocalPart(text.charAt(i - 1)) && isDomain(text, domain)) {
                return true;
            }
        }
        return false;
    }

    /** Where the text goes on after an {@code @} at this place; the place itself if there is none. */
    private static int afterAt(String text, int at) {
        if (text.charAt(at) == '@') {
            return at + 1;
        }
        return text.startsWith("%40", at) ? at + 3 : at;
    }

    private static boolean isLocalPart(char c) {
        return Character.isLetterOrDigit(c) || "!#$%&'*+-/=?^_`{|}~.\"".indexOf(c) >= 0;
    }

    /** Whether a name with a full stop and then at least two letters begins here. */
    private static boolean isDomain(String text, int start) {
        int label = start;
        boolean several = false;
        for (int i = start; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (Character.isLetterOrDigit(c) || c == '-') {
                if (several && i > label && Character.isLetter(c) && Character.isLetter(text.charAt(label))) {
                    return true;
                }
            } else if (c == '.' && i > label) {
                several = true;
                label = i + 1;
            } else {
                return false;
            }
        }
        return false;
    }

    static boolean hasCardNumber(String text) {
        int i = 0;
        while (i < text.length()) {
            if (isUuid(text, i)) {
                i += UUID_LENGTH;
                continue;
            }
            if (!isDigit(text, i)) {
                i++;
                continue;
            }
            int end = endOfStretch(text, i, " -", 1);
            if (isAlone(text, i, end) && isCardNumber(text, i, end)) {
                return true;
            }
            if (hasCardNumberAsGroup(text, i, end)) {
                return true;
            }
            i = end;
        }
        return false;
    }

    /** Whether one of the groups of a stretch is a card number by itself, such as that of {@code 4111111111111111-2}. */
    private static boolean hasCardNumberAsGroup(String text, int start, int end) {
        int group = start;
        for (int i = start; i <= end; i++) {
            if (i == end || !isDigit(text, i)) {
                if (isAlone(text, group, i) && isCardNumber(text, group, i)) {
                    return true;
                }
                group = i + 1;
            }
        }
        return false;
    }

    private static boolean isCardNumber(String text, int start, int end) {
        int digits = digits(text, start, end);
        return digits >= FEWEST_CARD_DIGITS && digits <= MOST_CARD_DIGITS && hasLuhnDigit(text, start, end);
    }

    private static boolean hasLuhnDigit(String text, int start, int end) {
        int sum = 0;
        boolean doubled = false;
        for (int i = end - 1; i >= start; i--) {
            if (isDigit(text, i)) {
                int value = (text.charAt(i) - '0') * (doubled ? 2 : 1);
                sum += value > 9 ? value - 9 : value;
                doubled = !doubled;
            }
        }
        return sum % 10 == 0;
    }

    static boolean hasPhoneNumber(String text) {
        int i = 0;
        while (i < text.length()) {
            if (isUuid(text, i)) {
                i += UUID_LENGTH;
                continue;
            }
            boolean plus = text.charAt(i) == '+';
            int start = plus ? i + 1 : i;
            if (!isDigit(text, start) && !(isAt(text, start, '(') && isDigit(text, start + 1))) {
                i++;
                continue;
            }
            int end = endOfStretch(text, start, " -.()", 2);
            if (isAlone(text, i, end) && (plus ? isInternational(text, start, end) : isNational(text, start, end))) {
                return true;
            }
            i = end;
        }
        return false;
    }

    private static boolean isInternational(String text, int start, int end) {
        int digits = digits(text, start, end);
        return digits >= FEWEST_PHONE_DIGITS && digits <= MOST_PHONE_DIGITS && digitAt(text, start, end, 0) != '0';
    }

    private static boolean isNational(String text, int start, int end) {
        int digits = digits(text, start, end);
        if (digitAt(text, start, end, 0) == '0') {
            return digitAt(text, start, end, 1) == '0'
                    && digitAt(text, start, end, 2) != '0'
                    && digits >= FEWEST_PHONE_DIGITS_AFTER_ZEROS + 2
                    && digits <= MOST_PHONE_DIGITS + 2;
        }
        return digits == 10 && isThreeThreeFour(text, start, end);
    }

    /** Whether ten digits are grouped as in North America, where neither group of three begins with 0 or 1. */
    private static boolean isThreeThreeFour(String text, int start, int end) {
        int seen = 0;
        for (int i = start; i < end; i++) {
            if (isDigit(text, i)) {
                boolean begins = i == start || !isDigit(text, i - 1);
                if (begins != (seen == 0 || seen == 3 || seen == 6)
                        || ((seen == 0 || seen == 3) && text.charAt(i) < '2')) {
                    return false;
                }
                seen++;
            }
        }
        return true;
    }

    private static char digitAt(String text, int start, int end, int index) {
        int left = index;
        for (int i = start; i < end; i++) {
            if (isDigit(text, i) && left-- == 0) {
                return text.charAt(i);
            }
        }
        return ' ';
    }

    /** Where a stretch that begins here ends, after its last digit, with at most so many separators between two digits. */
    private static int endOfStretch(String text, int start, String separators, int mostBetween) {
        int end = start;
        int i = start;
        int between = 0;
        while (i < text.length() && between <= mostBetween) {
            if (isDigit(text, i)) {
                if (between > 0 && isUuid(text, i)) {
                    break;
                }
                between = 0;
                end = i + 1;
            } else if (separators.indexOf(text.charAt(i)) >= 0) {
                between++;
            } else {
                break;
            }
            i++;
        }
        return end;
    }

    /** Whether neither a letter nor a digit stands beside this part of the text. */
    private static boolean isAlone(String text, int start, int end) {
        return (start == 0 || !Character.isLetterOrDigit(text.charAt(start - 1)))
                && (end >= text.length() || !Character.isLetterOrDigit(text.charAt(end)));
    }

    private static int digits(String text, int start, int end) {
        int digits = 0;
        for (int i = start; i < end; i++) {
            if (isDigit(text, i)) {
                digits++;
            }
        }
        return digits;
    }

    /** Whether a UUID in its text form begins here, and neither begins nor ends beside a letter or digit. */
    private static boolean isUuid(String text, int start) {
        int end = start + UUID_LENGTH;
        if (end > text.length() || !isAlone(text, start, end)) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = text.charAt(start + i);
            boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
            if (hyphen ? c != '-' : Character.digit(c, 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static boolean isAt(String text, int at, char c) {
        return at < text.length() && text.charAt(at) == c;
    }
}
