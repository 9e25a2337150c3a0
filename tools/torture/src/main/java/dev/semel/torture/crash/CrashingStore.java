package dev.semel.torture.crash;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.engine.Store;
import dev.semel.reconcile.Evidence;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A store with crash points before and after the verbs that matter. */
public final class CrashingStore extends ForwardingStore {

    private final CrashPoints points;

    public CrashingStore(Store inner, CrashPoints points) {
        super(inner);
        this.points = points;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        points.reach(CrashPoint.BEFORE_CLAIM, request.identity());
        return super.claim(request).thenApply(answer -> {
            if (answer instanceof ClaimAnswer.Granted) {
                points.reach(CrashPoint.AFTER_CLAIM, request.identity());
            }
            return answer;
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        points.reach(CrashPoint.BEFORE_COMPLETE, lease.identity());
        return super.settle(lease, outcome, retention).thenApply(answer -> {
            points.reach(CrashPoint.AFTER_COMPLETE, lease.identity());
            return answer;
        });
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        points.reach(CrashPoint.BEFORE_EVIDENCE, lease.identity());
        SettleAnswer answer = super.reconcile(lease, outcome, evidence, retention);
        points.reach(CrashPoint.AFTER_EVIDENCE, lease.identity());
        return answer;
    }
}
