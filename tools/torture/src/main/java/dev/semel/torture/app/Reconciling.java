package dev.semel.torture.app;

import dev.semel.Codec;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.history.Receipt;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the application finds out about unknown outcomes: it asks the provider. */
public final class Reconciling {

    /** Far more than the settle window takes. */
    private static final int MOST_TRIES = 1000;

    private Reconciling() {}

    /** A reconciler that is not started. */
    public static Reconciler on(SemelEngine semel, Provider provider, Timing timing, @Nullable Bug bug) {
        Duration window = bug == Bug.NO_SETTLE_WINDOW ? Duration.ZERO : timing.settleWindow();
        ReconcilePolicy policy = new ReconcilePolicy(
                window, timing.sweepEvery(), timing.sweepEvery().multipliedBy(4), MOST_TRIES);
        OutcomeResolver resolver = unknown -> {
            Optional<StoredRecord> record = semel.find(unknown.identity());
            if (record.isEmpty()) {
                return new Verdict.CannotTellYet("the record is gone");
            }
            String meaning = PaymentService.meaning(record.get().fingerprint());
            return provider.lookUp(unknown.downstreamKey(PaymentService.PURPOSE), meaning, unknown.identity())
                    .map(Reconciling::happened)
                    .orElseGet(() -> new Verdict.DidNotHappen("the provider has no such charge"));
        };
        return Reconciler.of(semel.unknownOutcomes())
                .resolve(PaymentService.operation(timing, Keeping.LONG), resolver, policy)
                .resolve(PaymentService.operation(timing, Keeping.BRIEF), resolver, policy)
                .resolve(PaymentService.operation(timing, Keeping.LATE), resolver, policy)
                .every(timing.sweepEvery())
                .answerWithin(timing.providerPatience().multipliedBy(2))
                .build();
    }

    private static Verdict happened(Receipt receipt) {
        return Verdict.happened(Codec.text(), receipt.text(), "the provider has " + receipt.arrival());
    }
}
