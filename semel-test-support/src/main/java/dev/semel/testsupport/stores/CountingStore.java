package dev.semel.testsupport.stores;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
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
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts its calls. */
public final class CountingStore implements Store {

    private final Store inner;
    private final AtomicLong calls = new AtomicLong();

    public CountingStore(Store inner) {
        this.inner = inner;
    }

    /** The number of calls so far. */
    public long calls() {
        return calls.get();
    }

    private Store counted() {
        return counted(inner);
    }

    private <S> S counted(S store) {
        calls.incrementAndGet();
        return store;
    }

    @Override
    public BlockingVerbs blocking() {
        return BlockingVerbs.awaiting(this);
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
    public int prune(int limit, Expiry expiry) {
        return counted().prune(limit, expiry);
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return counted().reconcile(lease, outcome, evidence, retention);
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return counted().sweep(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return counted().due(operation, limit, hold);
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return counted().reschedule(lease, reschedule, evidence);
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return counted().annotate(lease, change, evidence);
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return counted().forget(lease, evidence);
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return counted().search(search);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return counted().listUnknown(filter, limit);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return counted(inner).history(identity);
    }

    @Override
    public List<Identity> sample(int limit) {
        return counted(inner).sample(limit);
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return counted(inner).step(lease, name, result);
    }

    @Override
    public void close() {
        inner.close();
    }
}
