package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.Operations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads and settles single records. */
final class Records {

    /**
     * A record that is kept longer than its operation's retention does no harm. One that is deleted sooner is executed again,
     * and the operation may be that of another application, with a longer retention than this one has configured.
     */
    private static final Duration LEAST_RETENTION = Duration.ofDays(30);

    private final SemelEngine semel;
    private final Store store;
    private final Operations operations;

    Records(SemelEngine semel, Store store, Operations operations) {
        this.semel = semel;
        this.store = store;
        this.operations = operations;
    }

    static Refused noRecord() {
        return Refused.notFound("this scope has no record of this key");
    }

    /** Reads from the store itself, not through the engine: the response is not needed, and may be encrypted. */
    private StoredRecord find(Identity identity) {
        return semel.unknownOutcomes().findSealed(identity).orElseThrow(Records::noRecord);
    }

    /** The operation of a record. */
    String operationOf(Identity identity) {
        return find(identity).operation();
    }

    RecordView view(Identity identity) {
        StoredRecord record = find(identity);
        return RecordView.of(
                record,
                store.history(identity),
                record.reconciling() != null && semel.unknownOutcomes().isAttended(record.operation()));
    }

    /** @param fence of the attempt that the evidence is about; null for the last */
    Reconciliation settle(Identity identity, @Nullable Long fence, Verdict.Final verdict, String source) {
        StoredRecord record = find(identity);
        if (fence != null && fence != record.fence()) {
            throw Refused.conflict("the attempt with fence " + fence + " is not the last one, which has fence "
                    + record.fence() + "; look at the record again");
        }
        Duration own = operations.named(record.operation()).retention();
        Duration retention = own.compareTo(LEAST_RETENTION) > 0 ? own : LEAST_RETENTION;
        return semel.unknownOutcomes().settle(record.lease(), retention, verdict, source);
    }
}
