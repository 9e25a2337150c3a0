package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One caller's claim, over as many questions to the store as its waiting takes. Memory is asked before each of them; before
 * the first one {@link Claims} has asked it.
 */
final class Claiming {

    /** What to do after one answer of the store. */
    sealed interface Next {

        record Done(Claim claim) implements Next {}

        /** Another attempt is running: ask again after this. */
        record Pause(Duration length) implements Next {}

        /** The record's fingerprint is another version of the same meaning: ask again with that one. */
        record AskAgain() implements Next {}
    }

    /** What becomes of the answer: where the claim was made, outside of a transaction or in one, decides. */
    interface Target {

        /** The claim that was asked for at this moment was granted. */
        Claim.Granted granted(StoredRecord granted, long askedNanos);

        /** Settles the claim that was granted as unknown: it found that an earlier attempt's outcome is. */
        void settle(StoredRecord granted, Outcome.Unknown outcome);

        /** The record was found completed. */
        void completed(NearReplays.Completion completion);
    }

    private final Context context;
    private final LostUnknowns lostUnknowns;
    private final Intent intent;
    private final Target target;
    private final Traces.OfClaim trace;
    private final Waiting waitBudget;
    private final long startedNanos;
    private final CompletableFuture<Claim> result = new CompletableFuture<>();
    private @Nullable ClaimRequest request;
    private long askedNanos;

    Claiming(Context context, LostUnknowns lostUnknowns, Intent intent, Traces.OfClaim trace, Target target) {
        this.context = context;
        this.lostUnknowns = lostUnknowns;
        this.intent = intent;
        this.trace = trace;
        this.target = target;
        this.startedNanos = context.timer().nanos();
        this.waitBudget = new Waiting(intent.operation().maxWait(), startedNanos);
    }

    /** Completes with the answer, for callers that do not block. */
    CompletableFuture<Claim> result() {
        return result;
    }

    /** Asks once, and waits for the answer. */
    Next askBlocking(Function<ClaimRequest, ClaimAnswer> store) {
        Claim near = answerNear();
        if (near != null) {
            return new Next.Done(near);
        }
        try {
            ClaimRequest asked = toAsk();
            return decide(Faults.answered(() -> store.apply(asked)));
        } catch (StoreException fault) {
            throw reported(fault);
        }
    }

    /** Asks once, without blocking. */
    CompletionStage<Next> ask(Function<ClaimRequest, CompletionStage<ClaimAnswer>> store) {
        return Faults.staged(() -> {
            Claim near = answerNear();
            return near == null ? askStore(store) : CompletableFuture.completedFuture(new Next.Done(near));
        });
    }

    private @Nullable Claim answerNear() {
        if (lostUnknowns.isOfAnother(intent)) {
            return refused(new Refusal.Mismatch());
        }
        return request == null ? null : context.answerNear(intent, trace);
    }

    private CompletionStage<Next> askStore(Function<ClaimRequest, CompletionStage<ClaimAnswer>> store) {
        CompletionStage<ClaimAnswer> answering = Faults.staged(() -> store.apply(toAsk()));
        return answering.handle((answer, failure) -> {
            if (answer == null) {
                throw reported(Faults.ofStore(failure));
            }
            return decide(answer);
        });
    }

    /** The request with which the store is asked now. */
    private ClaimRequest toAsk() {
        if (context.isClosed()) {
            throw new StoreException(Context.CLOSED);
        }
        context.keys().requireStored(identity());
        ClaimRequest asked = request();
        askedNanos = context.timer().nanos();
        return asked;
    }

    /** Made when it is needed: its holder's name is not for free, and answers from memory need none. */
    private ClaimRequest request() {
        if (request == null) {
            Operation operation = intent.operation();
            request = new ClaimRequest(
                    intent.identity(),
                    operation.name(),
                    intent.fingerprint(),
                    operation.lease(),
                    operation.reexecutable(),
                    holder(),
                    FirstUse.of(KeyTime.of(intent), operation.retention(), operation.lateRetries()));
        }
        return request;
    }

    private String holder() {
        String name = context.holders().next();
        Explanations explanations = context.explanations();
        String outline = explanations == null ? null : explanations.outline(intent, name);
        return outline == null
                ? Holder.text(name, intent.description())
                : Holder.text(name, intent.description(), outline);
    }

    private String operation() {
        return intent.operation().name();
    }

    private Identity identity() {
        return intent.identity();
    }

    private Duration took() {
        return context.listeners().isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(context.timer().nanos() - startedNanos);
    }

    private StoreException reported(StoreException fault) {
        context.listeners().tell(new Event.StoreFault(operation(), identity(), "claim", fault));
        return fault;
    }

    private Next decide(ClaimAnswer answer) {
        if (answer instanceof ClaimAnswer.Granted granted) {
            return new Next.Done(granted(granted));
        }
        if (answer instanceof ClaimAnswer.Recorded recorded) {
            return new Next.Done(replayed(recorded.record()));
        }
        if (answer instanceof ClaimAnswer.Mismatch mismatch) {
            ClaimRequest asked = request();
            if (!asked.fingerprint().matches(mismatch.record().fingerprint())
                    && intent.sameAs().test(mismatch.record().fingerprint())) {
                request = asked.withFingerprint(mismatch.record().fingerprint());
                return new Next.AskAgain();
            }
            return new Next.Done(refused(explained(mismatch.record())));
        }
        if (answer instanceof ClaimAnswer.Unknown unknown) {
            if (unknown.noticed()) {
                StoredRecord record = unknown.record();
                context.unknownLog().becameUnknown(record.operation(), record.lease(), record.reason());
            }
            return new Next.Done(
                    refused(new Refusal.OutcomeUnknown(unknown.record().fence())));
        }
        if (answer instanceof ClaimAnswer.TooLate) {
            return new Next.Done(refused(new Refusal.KeyExpired()));
        }
        if (answer instanceof ClaimAnswer.TooEarly) {
            return new Next.Done(refused(new Refusal.KeyFromFuture()));
        }
        return waitBudget
                .next(context.timer().nanos())
                .<Next>map(Next.Pause::new)
                .orElseGet(() -> new Next.Done(refusedInProgress()));
    }

    private Refusal.Mismatch explained(StoredRecord record) {
        Explanations explanations = context.explanations();
        return explanations == null ? new Refusal.Mismatch() : explanations.explain(intent, record);
    }

    private Claim granted(ClaimAnswer.Granted granted) {
        Lease lease = granted.lease();
        LostUnknowns.Lost lost = lostUnknowns.missingFrom(granted.record());
        if (lost != null) {
            target.settle(granted.record(), lost.outcome());
            return refused(lost.isAbout(intent) ? new Refusal.OutcomeUnknown(lease.fence()) : new Refusal.Mismatch());
        }
        context.listeners()
                .tell(new Event.Granted(operation(), identity(), lease.fence(), granted.attempts() > 1, took()));
        return target.granted(granted.record(), askedNanos);
    }

    private Claim replayed(StoredRecord record) {
        Response sealed = responseOf(record);
        Envelope.Opened opened = context.envelope().open(identity(), sealed);
        Claim.Recording recording = NearReplays.of(record);
        target.completed(new NearReplays.Completion(identity(), record.fingerprint(), sealed, recording, askedNanos));
        trace.replayed(false, opened.origin());
        context.listeners().tell(new Event.Replayed(operation(), identity(), false, took()));
        return new Claim.Recorded(opened.response(), opened.failure(), recording);
    }

    Claim.Refused refusedInProgress() {
        return refused(new Refusal.InProgress(Refusal.InProgress.RETRY_AFTER));
    }

    private Claim.Refused refused(Refusal refusal) {
        trace.refused(refusal);
        if (refusal instanceof Refusal.OutcomeUnknown unknown) {
            context.listeners().tell(new Event.RefusedUnknown(operation(), identity(), unknown.fence(), took()));
        } else if (refusal instanceof Refusal.Mismatch) {
            context.listeners().tell(new Event.RefusedMismatch(operation(), identity(), took()));
        } else if (refusal instanceof Refusal.KeyExpired) {
            context.listeners().tell(new Event.RefusedExpired(operation(), identity(), took()));
        } else if (refusal instanceof Refusal.KeyFromFuture) {
            context.listeners().tell(new Event.RefusedFromFuture(operation(), identity(), took()));
        } else {
            context.listeners().tell(new Event.RefusedInProgress(operation(), identity(), took()));
        }
        return new Claim.Refused(refusal);
    }

    private static Response responseOf(StoredRecord record) {
        if (record.response() == null) {
            throw new StoreException("the store says that " + record.identity() + " is completed, but has no response");
        }
        return record.response();
    }
}
