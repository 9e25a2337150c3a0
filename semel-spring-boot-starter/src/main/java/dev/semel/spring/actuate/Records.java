package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.Reconciliation;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.Operations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Single records, as they lie in the store. */
final class Records {

    /**
     * A record that is kept longer than its operation says does no harm. One that is forgotten sooner is executed again, and
     * the operation may be another application's, which knows better than this one how long.
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

    /** Asks the store itself: its response is of no interest here, and need not be readable. */
    private StoredRecord find(Identity identity) {
        return semel.unknownOutcomes().findSealed(identity).orElseThrow(Records::noRecord);
    }

    /** Which operation a record is of. */
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
