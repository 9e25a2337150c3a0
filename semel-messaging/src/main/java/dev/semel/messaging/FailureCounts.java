package dev.semel.messaging;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.util.Optional;

/**
 * Counts the failures of transactional handlers. The rollback removes an attempt's record, so each failure is counted by an
 * attempt outside of any transaction, which executes nothing.
 *
 * <p>When a consumer is killed while it counts, the record becomes unknown. The operation's name proves that nothing was
 * executed.
 */
final class FailureCounts {

    static final String OPERATION = "count-failure";

    private static final Verdict.Final ONLY_COUNTED =
            new Verdict.DidNotHappen("the attempt has only counted a failure");

    private final SemelEngine semel;

    FailureCounts(SemelEngine semel) {
        this.semel = semel;
    }

    /** Claims the attempt that counts. It is not re-executable: after a crash, {@link #released} settles it. */
    Claim begin(Intent intent) {
        Operation counting = Operation.named(OPERATION)
                .retention(intent.operation().retention())
                .lease(intent.operation().lease())
                .failures(intent.operation().failures())
                .lateRetries(Operation.LateRetries.EXECUTE)
                .failureRule(intent.operation().rule());
        Identity identity = intent.identity();
        return semel.begin(Intent.of(counting, identity.scope(), identity.key(), intent.fingerprint()));
    }

    /** Releases the message if its unknown outcome is that of an attempt that only counted; returns whether it did. */
    boolean released(Intent intent) {
        Optional<StoredRecord> interrupted = semel.find(intent.identity())
                .filter(record -> record.state() == State.UNKNOWN)
                .filter(record -> record.operation().equals(OPERATION))
                .filter(record -> StoredRecord.LEASE_EXPIRED.equals(record.reason()));
        return interrupted.isPresent()
                && semel.unknownOutcomes()
                                .settle(
                                        interrupted.get().lease(),
                                        intent.operation().retention(),
                                        ONLY_COUNTED,
                                        "inbox")
                        instanceof Reconciliation.Accepted;
    }
}
