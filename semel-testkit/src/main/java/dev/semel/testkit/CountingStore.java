package dev.semel.testkit;

import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts how often it is asked. */
public final class CountingStore implements ReconcilableStore {

    private final ReconcilableStore inner;
    private final AtomicLong calls = new AtomicLong();

    public CountingStore(ReconcilableStore inner) {
        this.inner = inner;
    }

    /** How many verbs were called so far. */
    public long calls() {
        return calls.get();
    }

    private ReconcilableStore counted() {
        calls.incrementAndGet();
        return inner;
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
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return counted().reconcile(lease, outcome, evidence, retention);
    }

    @Override
    public void close() {
        inner.close();
    }
}
