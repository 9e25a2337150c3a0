package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testsupport.stores.ForwardingStore;
import dev.semel.torture.bugs.Eraser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A store in memory from which records can be deleted behind its back: it forgets one by keeping what comes next under
 * another name. The audit stays, as it would if an operator deleted a row.
 */
final class ErasableStore extends ForwardingStore implements Eraser {

    private static final String ALIAS = "~";

    private final Map<Identity, Integer> erased = new HashMap<>();

    ErasableStore(Store inner) {
        super(inner);
    }

    @Override
    public void erase(Identity identity) {
        erased.merge(identity, 1, Integer::sum);
    }

    private static Identity alias(Identity identity, int number) {
        return number == 0
                ? identity
                : Identity.of(identity.scope().value(), identity.key().value() + ALIAS + number);
    }

    private Identity in(Identity identity) {
        return alias(identity, erased.getOrDefault(identity, 0));
    }

    private Lease in(Lease lease) {
        return new Lease(in(lease.identity()), lease.fence());
    }

    private static StoredRecord out(StoredRecord record) {
        String key = record.identity().key().value();
        int end = key.indexOf(ALIAS);
        if (end < 0) {
            return record;
        }
        Identity identity = Identity.of(record.identity().scope().value(), key.substring(0, end));
        return new StoredRecord(
                identity,
                record.operation(),
                record.fingerprint(),
                record.state(),
                record.fence(),
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                record.times(),
                record.response(),
                record.reason(),
                record.evidence(),
                record.steps(),
                record.reconciling());
    }

    /** Erased records are not swept. */
    private List<StoredRecord> out(List<StoredRecord> records) {
        return records.stream()
                .filter(record -> record.identity().equals(in(out(record).identity())))
                .map(ErasableStore::out)
                .toList();
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        ClaimRequest aliased = new ClaimRequest(
                in(request.identity()),
                request.operation(),
                request.fingerprint(),
                request.lease(),
                request.reexecutable(),
                request.holder(),
                request.firstUse());
        return super.claim(aliased).thenApply(answer -> {
            if (answer instanceof ClaimAnswer.Granted granted) {
                return new ClaimAnswer.Granted(out(granted.record()));
            }
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                return new ClaimAnswer.Recorded(out(recorded.record()));
            }
            return answer instanceof ClaimAnswer.Unknown unknown
                    ? new ClaimAnswer.Unknown(out(unknown.record()), unknown.noticed())
                    : answer;
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return super.settle(in(lease), outcome, retention);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return super.renew(in(lease), duration);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return super.find(in(identity)).thenApply(found -> found.map(ErasableStore::out));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return out(super.sweep(limit));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return out(super.due(operation, limit, hold));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return super.reconcile(in(lease), outcome, evidence, retention);
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return super.reschedule(in(lease), reschedule, evidence);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        List<AuditEntry> all = new ArrayList<>();
        for (int number = 0; number <= erased.getOrDefault(identity, 0); number++) {
            for (AuditEntry entry : super.history(alias(identity, number))) {
                all.add(new AuditEntry(
                        identity,
                        all.size() + 1L,
                        entry.at(),
                        entry.change(),
                        entry.fence(),
                        entry.from(),
                        entry.to(),
                        entry.who(),
                        entry.why()));
            }
        }
        return all;
    }
}
