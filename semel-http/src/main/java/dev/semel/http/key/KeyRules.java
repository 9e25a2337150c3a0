package dev.semel.http.key;

import dev.semel.Key;
import java.util.regex.Pattern;

/**
 * What a service asks of keys beyond their syntax. A short or guessable key is one that two intents may share.
 *
 * @param uuid whether a key must be a UUID in its text form (RFC 9562), of any version and in either case
 * @param minLength the fewest characters; 16 are recommended for keys that clients choose freely
 * @param maxLength the most characters, at most 255
 */
public record KeyRules(boolean uuid, int minLength, int maxLength) {

    private static final int LONGEST_KEY = 255;
    private static final int UUID_LENGTH = 36;
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** Nothing beyond the syntax. */
    public static final KeyRules NONE = new KeyRules(false, 1, LONGEST_KEY);

    /**
     * Checks the rules.
     *
     * @throws IllegalArgumentException when no key could keep them
     */
    public KeyRules {
        if (minLength < 1 || maxLength > LONGEST_KEY || minLength > maxLength) {
            throw new IllegalArgumentException("key lengths must satisfy 1 <= minLength <= maxLength <= " + LONGEST_KEY
                    + ", not minLength " + minLength + " and maxLength " + maxLength);
        }
        if (uuid && (minLength > UUID_LENGTH || maxLength < UUID_LENGTH)) {
            throw new IllegalArgumentException("a UUID has " + UUID_LENGTH + " characters, which minLength " + minLength
                    + " and maxLength " + maxLength + " do not allow");
        }
    }

    /** These rules, and keys must be UUIDs. */
    public KeyRules requireUuid() {
        return new KeyRules(true, minLength, maxLength);
    }

    public KeyRules withMinLength(int length) {
        return new KeyRules(uuid, length, maxLength);
    }

    public KeyRules withMaxLength(int length) {
        return new KeyRules(uuid, minLength, length);
    }

    /** Finds the key, or what is wrong with it. */
    public KeyResult check(Key key) {
        int length = key.value().length();
        if (uuid && !UUID_FORM.matcher(key.value()).matches()) {
            return new KeyResult.Invalid(
                    "the key must be a UUID in the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx of hexadecimal digits");
        }
        if (length < minLength) {
            return new KeyResult.Invalid("the key has " + length + " characters, at least " + minLength
                    + " are required; a random UUID is a good key");
        }
        if (length > maxLength) {
            return new KeyResult.Invalid(
                    "the key has " + length + " characters, at most " + maxLength + " are allowed");
        }
        return new KeyResult.Found(key);
    }
}
