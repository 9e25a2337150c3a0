package dev.semel.torture.bugs;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store whose fences count the attempts of a record, and so start again at one when the record is new again. */
final class ResetFences extends ForwardingStore {

    ResetFences(Store inner) {
        super(inner);
    }

    private static StoredRecord reset(StoredRecord record) {
        return Altered.fence(record, record.attempts());
    }

    private static List<StoredRecord> reset(List<StoredRecord> records) {
        return records.stream().map(ResetFences::reset).toList();
    }

    /** The real lease behind this number. */
    private CompletionStage<Lease> real(Lease lease) {
        return super.find(lease.identity())
                .thenApply(found -> found.filter(record -> record.attempts() == lease.fence())
                        .map(StoredRecord::lease)
                        .orElseGet(() -> new Lease(lease.identity(), -1)));
    }

    private Lease realNow(Lease lease) {
        return real(lease).toCompletableFuture().join();
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return super.claim(request).thenApply(answer -> {
            if (answer instanceof ClaimAnswer.Granted granted) {
                return new ClaimAnswer.Granted(reset(granted.record()));
            }
            return answer instanceof ClaimAnswer.Unknown unknown
                    ? new ClaimAnswer.Unknown(reset(unknown.record()), unknown.noticed())
                    : answer;
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return real(lease).thenCompose(held -> super.settle(held, outcome, retention));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return real(lease).thenCompose(held -> super.renew(held, duration));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return super.find(identity).thenApply(found -> found.map(ResetFences::reset));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return reset(super.sweep(limit));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return reset(super.due(operation, limit, hold));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return super.reconcile(realNow(lease), outcome, evidence, retention);
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return super.reschedule(realNow(lease), reschedule, evidence);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return reset(super.listUnknown(filter, limit));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return recounted(super.history(identity));
    }

    private static List<AuditEntry> recounted(List<AuditEntry> entries) {
        List<AuditEntry> counted = new ArrayList<>();
        long fence = 0;
        long realFence = Long.MIN_VALUE;
        for (AuditEntry entry : entries) {
            if (entry.to() == State.IN_PROGRESS && entry.fence() != realFence) {
                fence = entry.from() == null || entry.from() == State.EXPIRED ? 1 : fence + 1;
            }
            realFence = entry.fence();
            counted.add(new AuditEntry(
                    entry.identity(),
                    entry.number(),
                    entry.at(),
                    entry.change(),
                    fence,
                    entry.from(),
                    entry.to(),
                    entry.who(),
                    entry.why()));
        }
        return counted;
    }
}
