package dev.semel.benchmarks.store;

import dev.semel.Retention.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts what it is asked; whoever opened it closes it. */
final class CountedStore implements Store {

    private final Store store;
    private final AtomicLong roundTrips = new AtomicLong();

    CountedStore(Store store) {
        this.store = store;
    }

    long roundTrips() {
        return roundTrips.get();
    }

    private Store counted() {
        roundTrips.incrementAndGet();
        return store;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return counted().claim(request);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return counted().settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return counted().renew(lease, duration);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return counted().find(identity);
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        return counted().prune(limit, expiry);
    }

    @Override
    public void close() {}
}
