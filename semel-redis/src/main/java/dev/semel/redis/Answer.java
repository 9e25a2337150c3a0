package dev.semel.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a store will say. It arrives on the thread that reads from Redis, which nobody may hold up: who only waits is told
 * there, while whatever depends on the answer is run by somebody else.
 */
final class Answer<T> extends CompletableFuture<T> {

    private enum Audience {
        /** At most somebody who waits. */
        NONE,
        /** Something is to be run. */
        DEPENDENTS,
        /** The answer is being told, to those that wait. */
        TOLD
    }

    private final Executor tellers;
    private final AtomicReference<Audience> audience = new AtomicReference<>(Audience.NONE);

    Answer(Executor tellers) {
        this.tellers = tellers;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        if (audience.compareAndExchange(Audience.NONE, Audience.DEPENDENTS) == Audience.TOLD) {
            // It is there within a moment; then the caller runs what it has brought.
            while (!isDone()) {
                Thread.onSpinWait();
            }
        }
        return new CompletableFuture<>();
    }

    /** Called on the thread that reads from Redis. */
    void tell(T answer) {
        if (audience.compareAndSet(Audience.NONE, Audience.TOLD)) {
            complete(answer);
        } else {
            tellers.execute(() -> complete(answer));
        }
    }

    /** Called on the thread that reads from Redis. */
    void tellFault(Throwable fault) {
        if (audience.compareAndSet(Audience.NONE, Audience.TOLD)) {
            completeExceptionally(fault);
        } else {
            tellers.execute(() -> completeExceptionally(fault));
        }
    }
}
