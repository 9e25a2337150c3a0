package dev.semel.benchmarks.store;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts the calls of requests and of pruning; its opener closes the store behind it. */
final class CountedStore extends ForwardingStore {

    private final AtomicLong roundTrips = new AtomicLong();

    CountedStore(Store store) {
        super(store);
    }

    long roundTrips() {
        return roundTrips.get();
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        roundTrips.incrementAndGet();
        return super.claim(request);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        roundTrips.incrementAndGet();
        return super.settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        roundTrips.incrementAndGet();
        return super.renew(lease, duration);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        roundTrips.incrementAndGet();
        return super.find(identity);
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        roundTrips.incrementAndGet();
        return super.prune(limit, expiry);
    }

    @Override
    public void close() {}
}
