package dev.semel.benchmarks.load;

import java.util.concurrent.CompletionStage;

/** One call that is answered later. */
@FunctionalInterface
public interface AsyncCall {

    CompletionStage<?> start();
}
