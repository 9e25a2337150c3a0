package dev.semel;

import java.util.concurrent.CompletionStage;

/** The code of an operation that answers later. */
@FunctionalInterface
public interface AsyncWork<T> {

    CompletionStage<T> start(Attempt attempt);
}
