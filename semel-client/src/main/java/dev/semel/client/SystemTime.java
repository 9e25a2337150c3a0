package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The machine's clocks, and pauses that hold no thread. */
final class SystemTime implements ClientTime {

    private final Executor executor;

    SystemTime(Executor executor) {
        this.executor = executor;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Pause pause(Duration length, Runnable then) {
        CompletableFuture<Void> over =
                new CompletableFuture<Void>().completeOnTimeout(null, length.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> unused = over.thenRunAsync(then, executor);
        return () -> over.cancel(false);
    }
}
