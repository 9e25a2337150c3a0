package dev.semel.testkit;

import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.AuditedStore;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.GatheringStore;
import dev.semel.spi.ListingStore;
import dev.semel.spi.Pursuit;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StepAnswer;
import dev.semel.spi.StepStore;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.UnknownFilter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that passes everything on to another: subclasses change what they are about. */
public class ForwardingStore implements ReconcilableStore, AuditedStore, StepStore, GatheringStore, ListingStore {

    private final ReconcilableStore inner;
    private final AuditedStore audited;
    private final StepStore stepping;

    /**
     * A store in front of another.
     *
     * @throws IllegalArgumentException when the other keeps no audit or no steps
     */
    public ForwardingStore(ReconcilableStore inner) {
        if (!(inner instanceof AuditedStore audits) || !(inner instanceof StepStore steps)) {
            throw new IllegalArgumentException("a store without audit or steps");
        }
        this.inner = inner;
        this.audited = audits;
        this.stepping = steps;
    }

    @Override
    public void together(Runnable task) {
        if (inner instanceof GatheringStore gathering) {
            gathering.together(task);
        } else {
            task.run();
        }
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return inner.claim(request);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return inner.settle(lease, outcome, retention);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return inner.renew(lease, duration);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return inner.find(identity);
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        return inner.prune(limit, expiry);
    }

    @Override
    public CompletionStage<List<StoredRecord>> sweep(int limit) {
        return inner.sweep(limit);
    }

    @Override
    public CompletionStage<List<StoredRecord>> due(String operation, int limit, Duration hold) {
        return inner.due(operation, limit, hold);
    }

    @Override
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return inner.reconcile(lease, outcome, evidence, retention);
    }

    @Override
    public CompletionStage<SettleAnswer> pursue(Lease lease, Pursuit pursuit, Evidence evidence) {
        return inner.pursue(lease, pursuit, evidence);
    }

    @Override
    public CompletionStage<List<StoredRecord>> unknown(UnknownFilter filter, int limit) {
        return inner.unknown(filter, limit);
    }

    @Override
    public CompletionStage<List<AuditEntry>> history(Identity identity) {
        return audited.history(identity);
    }

    @Override
    public CompletionStage<List<Identity>> some(int limit) {
        return inner instanceof ListingStore listing
                ? listing.some(limit)
                : CompletableFuture.failedFuture(
                        new StoreException("the store behind this one cannot list its records"));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return stepping.step(lease, name, result);
    }

    @Override
    public void close() {
        inner.close();
    }
}
