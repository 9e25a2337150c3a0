package dev.semel;

import java.util.concurrent.CompletionStage;

/** The code of an operation that answers later. */
@FunctionalInterface
public interface AsyncWork<T> {

    /** Starts the work without blocking: this may be a thread of the engine's timer, which other leases depend on. */
    CompletionStage<T> start(Attempt attempt);
}
