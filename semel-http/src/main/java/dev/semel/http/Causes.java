package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The causes of an exception. */
final class Causes {

    /** Deeper than any framework wraps; causes can form a circle. */
    private static final int DEEPEST = 50;

    private Causes() {}

    /** The exception itself, its cause, the cause of that, and so on. */
    static List<Throwable> of(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < DEEPEST; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    static Throwable rootOf(Throwable failure) {
        List<Throwable> causes = of(failure);
        return causes.get(causes.size() - 1);
    }

    /** The first cause that is no wrapper of asynchronous code, or the last wrapper where there is nothing in it. */
    static Throwable unwrapped(Throwable failure) {
        return of(failure).stream()
                .filter(cause -> !(cause instanceof CompletionException || cause instanceof ExecutionException))
                .findFirst()
                .orElseGet(() -> rootOf(failure));
    }
}
