package dev.semel.messaging.alias;

import dev.semel.NotExecutedException;

/** A message names an intent that is another's: its alias means another one, or the intent means something else. */
public final class ConflictingIntentException extends NotExecutedException {

    public ConflictingIntentException(String message) {
        super(message);
    }
}
