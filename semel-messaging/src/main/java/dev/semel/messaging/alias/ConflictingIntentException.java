package dev.semel.messaging.alias;

import dev.semel.NotExecutedException;

/** A message conflicts with an earlier one: its alias is bound to another intent, or its intent has another fingerprint. */
public final class ConflictingIntentException extends NotExecutedException {

    public ConflictingIntentException(String message) {
        super(message);
    }
}
