package dev.semel.engine;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What failed stages of a store carry, as the one exception that callers of the engine see. */
final class Faults {

    /** Deeper than any framework wraps; causes may form a circle. */
    private static final int DEEPEST_CAUSE = 100;

    private Faults() {}

    static boolean isIn(Throwable failure, Class<? extends Throwable> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (type.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    static StoreException ofStore(@Nullable Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof StoreException fault) {
            return fault;
        }
        return new StoreException("the store failed: " + cause, cause == null ? new IllegalStateException() : cause);
    }

    static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** What a store answers, also when it throws instead of answering. */
    static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns a store's answer to a caller that waits; whatever else the store throws becomes a {@link StoreException}. */
    static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error e) {
            throw ofStore(e);
        }
    }
}
