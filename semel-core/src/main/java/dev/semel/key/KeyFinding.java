package dev.semel.key;

import dev.semel.Key;
import java.util.Optional;

/**
 * A reason why a key should not be a key: it looks like personal data, or it is easy to guess.
 *
 * <p>Keys lie in the store for as long as records are kept, and two intents that share a key share one execution. The rules
 * are precise rather than complete. A random UUID, a ULID, and 20 or more random characters in hex or base64 are never found
 * fault with. Of random hex keys with 16 digits, one in 18,000 has decimal digits alone and a valid check digit: it is a
 * possible card number.
 */
public enum KeyFinding {

    /** An e-mail address anywhere in the key, its {@code @} also written {@code %40}. */
    EMAIL_ADDRESS("email_address", "looks like an e-mail address"),

    /**
     * 13 to 19 digits with a valid check digit (Luhn), as card numbers have, between characters that are neither letters nor
     * digits; also in groups with a single space or hyphen between them.
     */
    CARD_NUMBER("card_number", "holds 13 to 19 digits with a valid check digit, like a card number"),

    /**
     * A telephone number, also in groups: 8 to 15 digits after {@code +}, 10 to 15 after {@code 00}, or ten digits in groups
     * of three, three and four.
     */
    PHONE_NUMBER("phone_number", "looks like a telephone number"),

    /**
     * Fewer than 16 characters that lack upper case letters, lower case letters or digits, or of which fewer than ten are
     * different; and a key of any length of which fewer than four characters are different.
     */
    LOW_VARIETY("low_variety", "is easy to guess: it is short, or has few different characters");

    private final String tag;
    private final String description;

    KeyFinding(String tag, String description) {
        this.tag = tag;
        this.description = description;
    }

    /** Its name in metrics. */
    public String tag() {
        return tag;
    }

    /** What is wrong, as the rest of a sentence that begins with "the key". It holds nothing of the key. */
    public String description() {
        return description;
    }

    /** Finds the first reason against a key, in the order of the constants, by reading it a fixed number of times. */
    public static Optional<KeyFinding> in(Key key) {
        String text = key.value();
        if (PersonalData.hasEmailAddress(text)) {
            return Optional.of(EMAIL_ADDRESS);
        }
        if (PersonalData.hasCardNumber(text)) {
            return Optional.of(CARD_NUMBER);
        }
        if (PersonalData.hasPhoneNumber(text)) {
            return Optional.of(PHONE_NUMBER);
        }
        return Variety.isLow(text) ? Optional.of(LOW_VARIETY) : Optional.empty();
    }
}
