package dev.semel.items;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waiting for answers of a store. */
public final class Futures {

    private Futures() {}

    /** Waits for an answer; every fault is a {@link StoreException}. */
    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof StoreException fault
                    ? fault
                    : new StoreException("the store failed: " + cause, cause);
        }
    }
}
