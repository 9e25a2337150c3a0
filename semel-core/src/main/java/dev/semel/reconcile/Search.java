package dev.semel.reconcile;

import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.reconcile.Reconciler.RunReport;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * The search for evidence about the unknown outcomes of one operation.
 *
 * <ol>
 *   <li>Take a batch of records that it is time to ask about; no other process is given the same ones meanwhile.
 *   <li>Ask the resolver about each, one after the other: a provider that has just recovered is not to be flooded, and
 *       more processes share the work where that is too slow.
 *   <li>Settle what is known, under the fence of the attempt that was asked about. That it did not happen is believed only
 *       of an outcome that had been unknown for the whole settle window <em>before</em> the resolver was asked.
 *   <li>Ask again later about the rest, and leave it to a person after the last try. A "not found" within the settle
 *       window is no failure and never ends the search.
 * </ol>
 *
 * <p>A record that was taken and of which nothing became, because the store failed or the process died, is due again when
 * its hold has passed. No record's trouble keeps the others of its batch from being asked about.
 */
final class Search {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** Stores count in milliseconds: a try at the very end of the window might still be within it. */
    private static final Duration JUST_AFTER = Duration.ofMillis(1);

    private final UnknownOutcomes unknowns;
    private final Operation operation;
    private final OutcomeResolver resolver;
    private final ReconcilePolicy policy;
    private final int batch;
    private final Duration hold;

    Search(UnknownOutcomes unknowns, Reconciler.Builder.Resolving resolving, int batch, Duration hold) {
        this.unknowns = unknowns;
        this.operation = resolving.operation();
        this.resolver = resolving.resolver();
        this.policy = resolving.policy();
        this.batch = batch;
        this.hold = hold;
    }

    String operation() {
        return operation.name();
    }

    /** Asks about everything that is due, until it is stopped or the store fails. */
    RunReport run(BooleanSupplier stopped) {
        RunReport report = RunReport.NOTHING;
        boolean more = true;
        while (more && !stopped.getAsBoolean()) {
            List<StoredRecord> taken;
            try {
                taken = unknowns.due(operation.name(), batch, hold);
            } catch (StoreException fault) {
                return report.plus(faulty("unknown outcomes of " + operation.name() + " were taken", fault));
            }
            for (StoredRecord record : taken) {
                if (stopped.getAsBoolean()) {
                    break;
                }
                report = report.plus(contained(new Taken(unknowns, record)));
            }
            more = taken.size() == batch && report.storeFaults() == 0;
        }
        return report;
    }

    private RunReport contained(Taken taken) {
        try {
            return askedAbout(taken);
        } catch (StoreException fault) {
            return faulty("the outcome of " + taken.identity() + " was settled", fault);
        } catch (RuntimeException e) {
            return afterFailure(taken, e);
        }
    }

    private static RunReport faulty(String doing, StoreException fault) {
        LOG.log(System.Logger.Level.WARNING, "the store failed while " + doing, fault);
        return RunReport.STORE_FAULT;
    }

    private RunReport askedAbout(Taken taken) {
        Verdict verdict;
        try {
            verdict = Objects.requireNonNull(resolver.resolve(taken), "the resolver returned no verdict");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RunReport.NOTHING;
        } catch (Throwable failure) {
            return afterFailure(taken, failure);
        }
        if (!(verdict instanceof Verdict.Final last)) {
            return notKnown(taken, verdict.detail());
        }
        Duration left = policy.settleWindow().minus(taken.age());
        if (last instanceof Verdict.DidNotHappen && !left.isZero() && !left.isNegative()) {
            return rescheduled(taken, sooner(nextDelay(taken), left.plus(JUST_AFTER)), last.detail());
        }
        return settled(taken, last);
    }

    private RunReport afterFailure(Taken taken, Throwable failure) {
        LOG.log(
                System.Logger.Level.WARNING,
                "the resolver of " + operation.name() + " failed on " + taken.identity(),
                failure);
        String message = failure.getMessage();
        String why = failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        unknowns.failed(taken.record(), why);
        try {
            return notKnown(taken, why).plus(RunReport.FAILED);
        } catch (StoreException fault) {
            return faulty("the next try for " + taken.identity() + " was scheduled", fault)
                    .plus(RunReport.FAILED);
        }
    }

    private RunReport settled(Taken taken, Verdict.Final verdict) {
        Verdict.Final storable = verdict.withDetail(Evidence.abridged(verdict.detail()));
        Reconciliation answer = unknowns.settle(taken.record().lease(), operation.retention(), storable, source());
        return answer instanceof Reconciliation.Accepted ? RunReport.RESOLVED : RunReport.NOTHING;
    }

    private RunReport notKnown(Taken taken, String why) {
        if (taken.tries() < policy.maxTries()) {
            return rescheduled(taken, nextDelay(taken), why);
        }
        return unknowns.deadLetter(taken.record(), evidence(why)) ? RunReport.DEAD_LETTERED : RunReport.NOTHING;
    }

    private RunReport rescheduled(Taken taken, Duration delay, String why) {
        return unknowns.reschedule(taken.record(), delay, evidence(why)) ? RunReport.RESCHEDULED : RunReport.NOTHING;
    }

    private Evidence evidence(String detail) {
        return new Evidence(source(), Evidence.abridged(detail));
    }

    private String source() {
        return "resolver:" + operation.name();
    }

    private Duration nextDelay(Taken taken) {
        return policy.delayAfter(taken.tries());
    }

    private static Duration sooner(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
