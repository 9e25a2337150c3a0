package dev.semel.server.gateway;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests in progress: how many there may be, and those that were claimed and are not over, with or without a client that
 * waits, for which a shutdown waits.
 */
final class Exchanges {

    private final int most;
    private final AtomicLong inProgress = new AtomicLong();
    private final AtomicLong running = new AtomicLong();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean draining;

    /** @param most that may be in progress at a time */
    Exchanges(int most) {
        this.most = most;
    }

    /** The event loop that the calling thread is on. */
    Context context() {
        return Vertx.currentContext();
    }

    /** Admits a request; null when there are too many already. */
    @Nullable
    Place enter() {
        if (inProgress.incrementAndGet() > most) {
            inProgress.decrementAndGet();
            return null;
        }
        return new Place();
    }

    void begun() {
        running.incrementAndGet();
    }

    void over() {
        if (running.decrementAndGet() == 0 && draining) {
            drained.complete(null);
        }
    }

    /** Completes when none is left; no new ones may begin. */
    CompletionStage<Void> drain() {
        draining = true;
        if (running.get() == 0) {
            drained.complete(null);
        }
        return drained;
    }

    /** The place of one request among those in progress: free when its client and its execution are both done with it. */
    final class Place {

        private int holders = 1;

        /** The request is executed, which goes on when its client leaves. */
        void hold() {
            holders++;
        }

        void release() {
            if (--holders == 0) {
                inProgress.decrementAndGet();
            }
        }
    }
}
