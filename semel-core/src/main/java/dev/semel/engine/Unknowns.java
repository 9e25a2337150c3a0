package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.reconcile.Verdict;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The engine's side of reconciliation: verdicts become outcomes, and everything is reported to listeners. */
final class Unknowns implements UnknownOutcomes {

    private final Context context;
    private final Store store;

    Unknowns(Context context) {
        this.context = context;
        this.store = context.store();
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return ofMany("listUnknown", () -> store.listUnknown(filter, limit));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        List<StoredRecord> swept = ofMany("sweep", () -> store.sweep(limit));
        for (StoredRecord record : swept) {
            if (record.state() == State.UNKNOWN) {
                context.unknownLog().becameUnknown(record.operation(), record.lease(), record.reason());
            }
            context.listeners()
                    .tell(new Event.ZombieKey(
                            record.operation(),
                            record.identity(),
                            record.fence(),
                            record.state() == State.IN_PROGRESS));
        }
        return swept;
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return ofMany("due", () -> store.due(operation, limit, hold));
    }

    private <T> T ofMany(String verb, Supplier<T> question) {
        return asked(question, fault -> new Event.BatchFault(verb, fault));
    }

    private SettleAnswer ofOne(StoredRecord record, String verb, Supplier<SettleAnswer> question) {
        return asked(question, fault -> new Event.StoreFault(record.operation(), record.identity(), verb, fault));
    }

    private <T> T asked(Supplier<T> question, Function<StoreException, Event> told) {
        try {
            return Faults.answered(question);
        } catch (StoreException fault) {
            context.listeners().tell(told.apply(fault));
            throw fault;
        }
    }

    @Override
    public boolean reschedule(StoredRecord taken, Duration delay, Evidence why) {
        int tries = triesOf(taken);
        boolean done = reschedule(taken, new Reschedule.RetryAfter(tries, delay), why);
        if (done) {
            context.listeners()
                    .tell(new Event.ReconcileScheduled(
                            taken.operation(), taken.identity(), taken.fence(), tries, delay));
        }
        return done;
    }

    @Override
    public boolean deadLetter(StoredRecord taken, Evidence why) {
        boolean done = reschedule(taken, new Reschedule.DeadLetter(triesOf(taken)), why);
        if (done) {
            context.listeners()
                    .tell(new Event.ReconcileFailed(
                            taken.operation(), taken.identity(), taken.fence(), why.detail(), true));
        }
        return done;
    }

    @Override
    public void failed(StoredRecord taken, String why) {
        context.listeners()
                .tell(new Event.ReconcileFailed(taken.operation(), taken.identity(), taken.fence(), why, false));
    }

    private static int triesOf(StoredRecord taken) {
        if (taken.reconciling() == null) {
            throw new IllegalArgumentException(taken.identity() + " is not an unknown record");
        }
        return taken.reconciling().tries();
    }

    private boolean reschedule(StoredRecord record, Reschedule reschedule, Evidence why) {
        return ofOne(record, "reschedule", () -> store.reschedule(record.lease(), reschedule, why))
                instanceof SettleAnswer.Settled;
    }

    @Override
    public Reconciliation requeue(Identity identity, Evidence why) {
        return onUnknown(identity, record -> requeue(record, why));
    }

    @Override
    public Reconciliation requeue(Lease lease, Evidence why) {
        return onUnknown(
                lease.identity(),
                record ->
                        record.fence() == lease.fence() ? requeue(record, why) : new Reconciliation.NotUnknown(record));
    }

    private Reconciliation requeue(StoredRecord record, Evidence why) {
        if (!reschedule(record, new Reschedule.Reset(), why)) {
            return current(record.identity());
        }
        context.listeners()
                .tell(new Event.ReconcileScheduled(
                        record.operation(), record.identity(), record.fence(), 0, Duration.ZERO));
        return new Reconciliation.Accepted();
    }

    @Override
    public Reconciliation settle(Identity identity, Duration retention, Verdict.Final verdict, String source) {
        return onUnknown(identity, record -> settle(record, retention, verdict, source));
    }

    @Override
    public Reconciliation settle(Lease lease, Duration retention, Verdict.Final verdict, String source) {
        return onUnknown(
                lease.identity(),
                record -> record.fence() == lease.fence()
                        ? settle(record, retention, verdict, source)
                        : new Reconciliation.NotUnknown(record));
    }

    private interface OnUnknown {
        Reconciliation act(StoredRecord record);
    }

    private Reconciliation onUnknown(Identity identity, OnUnknown action) {
        Optional<StoredRecord> found = context.find(identity);
        if (found.isPresent() && found.get().state() == State.UNKNOWN) {
            return action.act(found.get());
        }
        return reconciliation(found);
    }

    private Reconciliation settle(StoredRecord record, Duration retention, Verdict.Final verdict, String source) {
        Evidence evidence = new Evidence(source, verdict.detail());
        Identity identity = record.identity();
        Outcome outcome = outcomeOf(identity, verdict, source);
        long askedNanos = context.timer().nanos();
        SettleAnswer answer =
                ofOne(record, "reconcile", () -> store.reconcile(record.lease(), outcome, evidence, retention));
        if (answer instanceof SettleAnswer.Refused) {
            return current(identity);
        }
        if (outcome instanceof Outcome.Completed completed) {
            context.near()
                    .keep(new NearReplays.Completion(
                            identity,
                            record.fingerprint(),
                            completed.response(),
                            NearReplays.justNow(record.operation(), record.fence(), retention),
                            askedNanos));
        }
        context.listeners()
                .tell(new Event.Reconciled(
                        record.operation(), identity, record.fence(), Transitions.stateOf(outcome), evidence));
        return new Reconciliation.Accepted();
    }

    private Outcome outcomeOf(Identity identity, Verdict.Final verdict, String source) {
        if (verdict instanceof Verdict.Happened happened) {
            return new Outcome.Completed(context.envelope().seal(identity, happened.response(), false));
        }
        if (verdict instanceof Verdict.Failed failed) {
            Response response = RecordedFailures.encode(failed.failure());
            return new Outcome.Completed(context.envelope().seal(identity, response, true));
        }
        return new Outcome.NotExecuted(source);
    }

    private Reconciliation current(Identity identity) {
        return reconciliation(context.find(identity));
    }

    private static Reconciliation reconciliation(Optional<StoredRecord> found) {
        return found.<Reconciliation>map(Reconciliation.NotUnknown::new).orElseGet(Reconciliation.NoSuchRecord::new);
    }

    @Override
    public Optional<Response> recordedStep(StoredRecord record, String name) {
        return record.steps()
                .find(name)
                .map(bytes -> context.envelope().open(record.identity(), bytes).response());
    }

    @Override
    public Optional<StoredRecord> findSealed(Identity identity) {
        return ofMany("find", () -> store.blocking().find(identity));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return ofMany("history", () -> store.history(identity));
    }

    @Override
    public void attend(Set<String> operations) {
        context.unknownLog().attend(operations);
    }

    @Override
    public boolean isAttended(String operation) {
        return context.unknownLog().isAttended(operation);
    }

    @Override
    public String downstreamKey(Identity identity, String purpose) {
        return context.downstreamKeys().derive(identity, purpose);
    }
}
