package dev.semel.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A future that is completed on the thread that reads from Redis, and runs no caller's code there: threads that wait in
 * {@code join} or {@code get} are woken at once, while dependent stages run on the callback executor.
 */
final class ReplyFuture<T> extends CompletableFuture<T> {

    private enum Use {
        /** No dependent stage so far; threads may wait. */
        NO_DEPENDENTS,
        /** There are dependent stages, which the callback executor has to run. */
        DEPENDENTS,
        /** The reading thread completes the future. */
        COMPLETING
    }

    private final Executor callbacks;
    private final AtomicReference<Use> use = new AtomicReference<>(Use.NO_DEPENDENTS);

    ReplyFuture(Executor callbacks) {
        this.callbacks = callbacks;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        if (use.compareAndExchange(Use.NO_DEPENDENTS, Use.DEPENDENTS) == Use.COMPLETING) {
            // Completed within microseconds; then the dependent stage runs on the calling thread, not on the reading
            // one.
            while (!isDone()) {
                Thread.onSpinWait();
            }
        }
        return new CompletableFuture<>();
    }

    /** Completes the future; called on the thread that reads from Redis. */
    void deliver(T value) {
        if (use.compareAndSet(Use.NO_DEPENDENTS, Use.COMPLETING)) {
            complete(value);
        } else {
            callbacks.execute(() -> complete(value));
        }
    }

    /** Completes the future with a failure; called on the thread that reads from Redis. */
    void deliverFailure(Throwable fault) {
        if (use.compareAndSet(Use.NO_DEPENDENTS, Use.COMPLETING)) {
            completeExceptionally(fault);
        } else {
            callbacks.execute(() -> completeExceptionally(fault));
        }
    }
}
