package dev.semel.jdbc;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Answers of batches, for callers that wait. */
final class Answers {

    private Answers() {}

    /** Joins the call itself, so that a lone caller runs its own statement. */
    static <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage instanceof CompletableFuture<T> own ? own : stage.toCompletableFuture();
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException fault) {
                throw fault;
            }
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw e;
        }
    }
}
