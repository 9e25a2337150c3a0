package dev.semel.server.cli;

import dev.semel.StoreException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for a store's answer, and throws its own exception rather than the one that carries it. */
final class Await {

    private Await() {}

    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException fault) {
                throw fault;
            }
            throw e;
        }
    }
}
