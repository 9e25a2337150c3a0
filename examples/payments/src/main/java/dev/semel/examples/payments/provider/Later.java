package dev.semel.examples.payments.provider;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Runs things later, on threads that the provider ends with: what is still to come then never does. */
record Later(Executor threads) {

    void after(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, threads)
                .execute(task);
    }
}
