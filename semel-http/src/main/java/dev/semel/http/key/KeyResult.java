package dev.semel.http.key;

import dev.semel.Key;
import dev.semel.key.KeyFinding;
import org.jspecify.annotations.Nullable;

/** The key of a request, or why there is none. The texts are fit for the client: they hold nothing of what it sent. */
public sealed interface KeyResult {

    /**
     * The request has a key.
     *
     * @param chosen the part that the client itself chose, which {@link KeyFinding} inspects; null when the key was derived
     */
    record Found(Key key, @Nullable Key chosen) implements KeyResult {

        /** A key that the client chose. */
        public Found(Key key) {
            this(key, key);
        }

        /** A key that was made from the content of a request. */
        public static Found derived(Key key) {
            return new Found(key, null);
        }
    }

    /**
     * There is no key.
     *
     * @param lookedFor what was looked for, such as {@code the header Idempotency-Key}
     */
    record Missing(String lookedFor) implements KeyResult {}

    /**
     * The value that should be the key is invalid.
     *
     * @param reason what is wrong, and what would be right
     * @param neverKey whether no rules ever accept this value, so that no request with it can have been executed
     */
    record Invalid(String reason, boolean neverKey) implements KeyResult {

        /** A value that other rules may accept, or have accepted before. */
        public Invalid(String reason) {
            this(reason, false);
        }
    }
}
