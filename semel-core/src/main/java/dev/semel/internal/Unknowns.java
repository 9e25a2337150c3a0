package dev.semel.internal;

import dev.semel.Event;
import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Reconciliation;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.UnknownOutcomes;
import dev.semel.Verdict;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.AuditedStore;
import dev.semel.spi.Pursuit;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import dev.semel.spi.UnknownFilter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The engine's side of reconciliation: verdicts become outcomes, and listeners hear of everything. */
final class Unknowns implements UnknownOutcomes {

    private final Engine engine;
    private final ReconcilableStore store;

    Unknowns(Engine engine, ReconcilableStore store) {
        this.engine = engine;
        this.store = store;
    }

    @Override
    public List<StoredRecord> list(UnknownFilter filter, int limit) {
        return ofMany("unknown", () -> store.unknown(filter, limit));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        List<StoredRecord> swept = ofMany("sweep", () -> store.sweep(limit));
        for (StoredRecord record : swept) {
            if (record.state() == State.UNKNOWN) {
                engine.unknownLog().becameUnknown(record.operation(), record.lease(), record.reason());
            }
            engine.listeners()
                    .tell(new Event.ZombieKey(
                            record.operation(),
                            record.identity(),
                            record.fence(),
                            record.state() == State.IN_PROGRESS));
        }
        return swept;
    }

    @Override
    public List<StoredRecord> take(String operation, int limit, Duration hold) {
        return ofMany("due", () -> store.due(operation, limit, hold));
    }

    private <T> T ofMany(String verb, Supplier<CompletionStage<T>> question) {
        return asked(question, fault -> new Event.BatchFault(verb, fault));
    }

    private SettleAnswer ofOne(StoredRecord record, String verb, Supplier<CompletionStage<SettleAnswer>> question) {
        return asked(question, fault -> new Event.StoreFault(record.operation(), record.identity(), verb, fault));
    }

    private <T> T asked(Supplier<CompletionStage<T>> question, Function<StoreException, Event> told) {
        try {
            return Faults.await(Faults.staged(question));
        } catch (StoreException fault) {
            engine.listeners().tell(told.apply(fault));
            throw fault;
        }
    }

    @Override
    public boolean askAgain(StoredRecord taken, Duration delay, Evidence why) {
        int tries = triesOf(taken);
        boolean done = pursue(taken, new Pursuit.Again(tries, delay), why);
        if (done) {
            engine.listeners()
                    .tell(new Event.ReconcileScheduled(
                            taken.operation(), taken.identity(), taken.fence(), tries, delay));
        }
        return done;
    }

    @Override
    public boolean deadLetter(StoredRecord taken, Evidence why) {
        boolean done = pursue(taken, new Pursuit.DeadLetter(triesOf(taken)), why);
        if (done) {
            engine.listeners()
                    .tell(new Event.ReconcileFailed(
                            taken.operation(), taken.identity(), taken.fence(), why.detail(), true));
        }
        return done;
    }

    @Override
    public void failed(StoredRecord taken, String why) {
        engine.listeners()
                .tell(new Event.ReconcileFailed(taken.operation(), taken.identity(), taken.fence(), why, false));
    }

    private static int triesOf(StoredRecord taken) {
        if (taken.reconciling() == null) {
            throw new IllegalArgumentException(taken.identity() + " is not an unknown record");
        }
        return taken.reconciling().tries();
    }

    private boolean pursue(StoredRecord record, Pursuit pursuit, Evidence why) {
        return ofOne(record, "pursue", () -> store.pursue(record.lease(), pursuit, why))
                instanceof SettleAnswer.Settled;
    }

    @Override
    public Reconciliation requeue(Identity identity, Evidence why) {
        return onUnknown(identity, record -> {
            if (!pursue(record, new Pursuit.Afresh(), why)) {
                return current(identity);
            }
            engine.listeners()
                    .tell(new Event.ReconcileScheduled(record.operation(), identity, record.fence(), 0, Duration.ZERO));
            return new Reconciliation.Accepted();
        });
    }

    @Override
    public Reconciliation settle(Identity identity, Duration retention, Verdict verdict, Evidence evidence) {
        return onUnknown(identity, record -> settle(record, retention, verdict, evidence));
    }

    @Override
    public Reconciliation settle(Lease lease, Duration retention, Verdict verdict, Evidence evidence) {
        return onUnknown(
                lease.identity(),
                record -> record.fence() == lease.fence()
                        ? settle(record, retention, verdict, evidence)
                        : new Reconciliation.NotUnknown(record));
    }

    private interface OnUnknown {
        Reconciliation act(StoredRecord record);
    }

    private Reconciliation onUnknown(Identity identity, OnUnknown action) {
        Optional<StoredRecord> found = engine.findStored(identity);
        if (found.isPresent() && found.get().state() == State.UNKNOWN) {
            return action.act(found.get());
        }
        return reconciliation(found);
    }

    private Reconciliation settle(StoredRecord record, Duration retention, Verdict verdict, Evidence evidence) {
        Identity identity = record.identity();
        Outcome outcome = outcomeOf(identity, verdict, evidence);
        long askedNanos = engine.timer().nanos();
        SettleAnswer answer =
                ofOne(record, "reconcile", () -> store.reconcile(record.lease(), outcome, evidence, retention));
        if (answer instanceof SettleAnswer.Refused) {
            return current(identity);
        }
        if (outcome instanceof Outcome.Completed completed) {
            engine.near()
                    .keep(new NearReplays.Completion(
                            identity, record.fingerprint(), completed.response(), askedNanos, retention));
        }
        engine.listeners()
                .tell(new Event.Reconciled(
                        record.operation(), identity, record.fence(), Transitions.stateOf(outcome), evidence));
        return new Reconciliation.Accepted();
    }

    private Outcome outcomeOf(Identity identity, Verdict verdict, Evidence evidence) {
        if (verdict instanceof Verdict.Happened happened) {
            return new Outcome.Completed(engine.envelope().seal(identity, happened.response(), false));
        }
        if (verdict instanceof Verdict.Failed failed) {
            Response response = RecordedFailures.encode(failed.failure());
            return new Outcome.Completed(engine.envelope().seal(identity, response, true));
        }
        return new Outcome.NotExecuted(evidence.source());
    }

    private Reconciliation current(Identity identity) {
        return reconciliation(engine.findStored(identity));
    }

    private static Reconciliation reconciliation(Optional<StoredRecord> found) {
        return found.<Reconciliation>map(Reconciliation.NotUnknown::new).orElseGet(Reconciliation.NoSuchRecord::new);
    }

    @Override
    public Optional<Response> recordedStep(StoredRecord record, String name) {
        return record.steps()
                .find(name)
                .map(bytes -> engine.envelope().open(record.identity(), bytes).response());
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        if (!(store instanceof AuditedStore audited)) {
            throw new UnsupportedOperationException("this store keeps no history");
        }
        return ofMany("history", () -> audited.history(identity));
    }

    @Override
    public void attend(Set<String> operations) {
        engine.unknownLog().attend(operations);
    }

    @Override
    public boolean isAttended(String operation) {
        return engine.unknownLog().isAttended(operation);
    }

    @Override
    public String downstreamKey(Identity identity, String purpose) {
        return engine.downstreamKeys().derive(identity, purpose);
    }
}
