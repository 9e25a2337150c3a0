package dev.semel.benchmarks.load;

import org.jspecify.annotations.Nullable;

/** Failures of calls, which end a run: a figure with failed calls in it says nothing. */
final class Failures {

    private Failures() {}

    static void raise(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }
}
