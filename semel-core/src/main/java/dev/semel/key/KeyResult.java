package dev.semel.key;

import dev.semel.Key;

/** What looking for a key led to. The texts are fit for the client: they hold nothing of what it sent. */
public sealed interface KeyResult {

    /** The key is there. */
    record Found(Key key) implements KeyResult {}

    /**
     * There is no key.
     *
     * @param lookedFor what was looked for, such as {@code the header Idempotency-Key}
     */
    record Missing(String lookedFor) implements KeyResult {}

    /**
     * There is something in the key's place that is no key.
     *
     * @param reason what is wrong, and what would be right
     */
    record Invalid(String reason) implements KeyResult {}
}
