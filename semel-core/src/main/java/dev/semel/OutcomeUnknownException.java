package dev.semel;

import java.util.Objects;
import java.util.stream.Stream;

/** Thrown by an operation's code to say that it may or may not have had its effect: the record becomes unknown. */
public class OutcomeUnknownException extends RuntimeException {

    /** Deeper than any framework wraps; causes may form a circle. */
    private static final int DEEPEST_CAUSE = 100;

    public OutcomeUnknownException(String message) {
        super(message);
    }

    public OutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether this is among what a failure was caused by: futures and frameworks wrap what the code threw. */
    public static boolean isIn(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST_CAUSE)
                .anyMatch(OutcomeUnknownException.class::isInstance);
    }
}
