package dev.semel.http.reactive;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.scheduler.Schedulers;

/** A store in memory that can block its callers, and lists the calls that were made on threads that must not block. */
final class WatchedStore extends ForwardingStore {

    /** Calls on an event loop, or on another thread that must not block. */
    final List<String> outOfPlace = new CopyOnWriteArrayList<>();

    volatile Runnable beforeClaim = () -> {};
    volatile Runnable beforeSettle = () -> {};

    WatchedStore() {
        super(new MemoryStore());
    }

    private void watch(String verb) {
        if (Schedulers.isInNonBlockingThread()) {
            outOfPlace.add(verb + " on " + Thread.currentThread().getName());
        }
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        watch("claim");
        beforeClaim.run();
        return super.claim(request);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        watch("settle");
        beforeSettle.run();
        return super.settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        watch("find");
        return super.find(identity);
    }
}
