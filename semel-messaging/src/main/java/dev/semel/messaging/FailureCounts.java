package dev.semel.messaging;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Reconciliation;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import java.util.Optional;

/**
 * The failures of handlers whose transactions were rolled back, and their records with them: each is counted by an attempt
 * outside of any transaction, which executes nothing.
 *
 * <p>A consumer can be killed while it counts. What it leaves becomes unknown, but by the operation's name everybody knows that
 * nothing happened.
 */
final class FailureCounts {

    static final String OPERATION = "count-failure";

    private static final Verdict.Final ONLY_COUNTED =
            new Verdict.DidNotHappen("the attempt has only counted a failure");

    private final SemelEngine semel;

    FailureCounts(SemelEngine semel) {
        this.semel = semel;
    }

    /** Claims the attempt that counts. It must not be taken over: a transaction refuses what somebody else has vanished from. */
    Claim begin(Intent intent) {
        Operation counting = Operation.named(OPERATION)
                .retention(intent.operation().retention())
                .lease(intent.operation().lease())
                .failures(intent.operation().failures())
                .failureRule(intent.operation().rule());
        Identity identity = intent.identity();
        return semel.begin(Intent.of(counting, identity.scope(), identity.key(), intent.fingerprint()));
    }

    /** Whether the unknown outcome was that of an attempt that only counted; then the message is free again. */
    boolean released(Intent intent) {
        Optional<StoredRecord> vanished = semel.find(intent.identity())
                .filter(record -> record.state() == State.UNKNOWN)
                .filter(record -> record.operation().equals(OPERATION))
                .filter(record -> StoredRecord.LEASE_EXPIRED.equals(record.reason()));
        return vanished.isPresent()
                && semel.unknownOutcomes()
                                .settle(
                                        vanished.get().lease(),
                                        intent.operation().retention(),
                                        ONLY_COUNTED,
                                        "inbox")
                        instanceof Reconciliation.Accepted;
    }
}
