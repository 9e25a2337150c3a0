package dev.semel.benchmarks.store;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts the calls of requests and of pruning; its opener closes the store behind it. */
final class CountedStore extends ForwardingStore {

    private final AtomicLong roundTrips = new AtomicLong();
    private final BlockingVerbs blocking;

    CountedStore(Store store) {
        super(store);
        this.blocking = new CountedVerbs(store.blocking());
    }

    /** Those of the store behind this one, so that they work on the caller's thread where that one does. */
    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    private final class CountedVerbs implements BlockingVerbs {

        private final BlockingVerbs inner;

        CountedVerbs(BlockingVerbs inner) {
            this.inner = inner;
        }

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            roundTrips.incrementAndGet();
            return inner.claim(request);
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            roundTrips.incrementAndGet();
            return inner.settle(lease, outcome, retention);
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            roundTrips.incrementAndGet();
            return inner.step(lease, name, result);
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            roundTrips.incrementAndGet();
            return inner.find(identity);
        }
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
    public int prune(int limit, Expiry expiry) {
        roundTrips.incrementAndGet();
        return super.prune(limit, expiry);
    }

    @Override
    public void close() {}
}
