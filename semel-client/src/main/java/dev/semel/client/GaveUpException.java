package dev.semel.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The exception for a result without an answer. */
public final class GaveUpException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Result.GaveUp<?> result;

    GaveUpException(Result.GaveUp<?> result) {
        super(message(result), cause(result));
        this.result = result;
    }

    public Result.GaveUp<?> result() {
        return result;
    }

    private static String message(Result.GaveUp<?> result) {
        return "no answer after " + result.attempts() + (result.attempts() == 1 ? " attempt" : " attempts") + " ("
                + result.reason() + result.last().map(last -> ", last: " + last).orElse("") + "); "
                + (result.outcomeUnknown()
                        ? "the outcome is unknown: keep the key " + result.key()
                        : "nothing was executed with the key " + result.key());
    }

    private static @Nullable Throwable cause(Result.GaveUp<?> result) {
        return result.last().orElse(null) instanceof Setback.Failure failure ? failure.cause() : null;
    }
}
