package dev.semel.testsupport.stores;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.GatheringStore;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that passes every call to another; subclasses override what they change. */
public class ForwardingStore implements GatheringStore {

    private final Store inner;

    public ForwardingStore(Store inner) {
        this.inner = inner;
    }

    @Override
    public void together(Runnable task) {
        if (inner instanceof GatheringStore gathering) {
            gathering.together(task);
        } else {
            task.run();
        }
    }

    /** Waits for this store's own stages, so that what a subclass changes about a verb holds for callers that wait, too. */
    @Override
    public BlockingVerbs blocking() {
        return BlockingVerbs.awaiting(this);
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
    public int prune(int limit, Expiry expiry) {
        return inner.prune(limit, expiry);
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return inner.sweep(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return inner.due(operation, limit, hold);
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return inner.reconcile(lease, outcome, evidence, retention);
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return inner.reschedule(lease, reschedule, evidence);
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return inner.annotate(lease, change, evidence);
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return inner.forget(lease, evidence);
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return inner.search(search);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return inner.listUnknown(filter, limit);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return inner.history(identity);
    }

    @Override
    public List<Identity> sample(int limit) {
        return inner.sample(limit);
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return inner.step(lease, name, result);
    }

    @Override
    public void close() {
        inner.close();
    }
}
