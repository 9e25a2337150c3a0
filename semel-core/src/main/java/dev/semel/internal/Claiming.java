package dev.semel.internal;

import dev.semel.Claim;
import dev.semel.Event;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.Holder;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One caller's claim, over as many questions to the store as its waiting takes. Memory is asked before each of them: before
 * the first by whoever makes the claim, who needs none of this when the answer is there.
 */
final class Claiming {

    /** What to do after one answer of the store. */
    sealed interface Next {

        record Done(Claim claim) implements Next {}

        /** Somebody else is at it: ask again after this. */
        record Pause(Duration length) implements Next {}

        /** The record's fingerprint is another version of the same meaning: ask again with that one. */
        record AskAgain() implements Next {}
    }

    /** Where the claim is made, and what becomes of the answer. */
    interface Ground {

        CompletionStage<ClaimAnswer> claim(ClaimRequest request);

        /** The claim that was asked for at this moment was granted. */
        Claim.Granted granted(StoredRecord granted, long askedNanos);

        /** Settles the claim that was granted as unknown: it found that an earlier attempt's outcome is. */
        void settle(StoredRecord granted, Outcome.Unknown outcome);

        /** The record was found completed. */
        void completed(NearReplays.Completion completion);
    }

    /** What a refused duplicate is told to wait: most operations end sooner, and nobody gains from asking more often. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Engine engine;
    private final Intent intent;
    private final Ground ground;
    private final Traces.OfClaim trace;
    private final Waiting patience;
    private final long startedNanos;
    private final CompletableFuture<Claim> result = new CompletableFuture<>();
    private @Nullable ClaimRequest request;
    private long askedNanos;

    Claiming(Engine engine, Intent intent, Traces.OfClaim trace, Ground ground) {
        this.engine = engine;
        this.intent = intent;
        this.trace = trace;
        this.ground = ground;
        this.startedNanos = engine.timer().nanos();
        this.patience = new Waiting(intent.operation().maxWait(), startedNanos);
    }

    /** Completes with the answer, for those who do not block. */
    CompletableFuture<Claim> result() {
        return result;
    }

    Next askBlocking() {
        Claim near = answerNear();
        if (near != null) {
            return new Next.Done(near);
        }
        try {
            return decide(Faults.await(claim()));
        } catch (StoreException fault) {
            throw told(fault);
        }
    }

    CompletionStage<Next> ask() {
        return Faults.staged(() -> {
            Claim near = answerNear();
            return near == null ? askStore() : CompletableFuture.completedFuture(new Next.Done(near));
        });
    }

    private @Nullable Claim answerNear() {
        if (engine.lostUnknowns().isOfAnother(intent)) {
            return refused(new Refusal.Mismatch());
        }
        return request == null ? null : engine.answerNear(intent, trace);
    }

    private CompletionStage<Next> askStore() {
        return claim().handle((answer, failure) -> {
            if (answer == null) {
                throw told(Faults.ofStore(failure));
            }
            return decide(answer);
        });
    }

    private CompletionStage<ClaimAnswer> claim() {
        if (engine.isClosed()) {
            return CompletableFuture.failedFuture(new StoreException(Engine.CLOSED));
        }
        engine.requireStored(identity());
        ClaimRequest asked = request();
        askedNanos = engine.timer().nanos();
        return Faults.staged(() -> ground.claim(asked));
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
                    Holder.text(engine.nextHolder(), intent.description()));
        }
        return request;
    }

    private String operation() {
        return intent.operation().name();
    }

    private Identity identity() {
        return intent.identity();
    }

    private Duration took() {
        return engine.listeners().isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(engine.timer().nanos() - startedNanos);
    }

    private StoreException told(StoreException fault) {
        engine.listeners().tell(new Event.StoreFault(operation(), identity(), "claim", fault));
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
            return new Next.Done(refused(new Refusal.Mismatch()));
        }
        if (answer instanceof ClaimAnswer.Unknown unknown) {
            if (unknown.noticed()) {
                StoredRecord record = unknown.record();
                engine.unknownLog().becameUnknown(record.operation(), record.lease(), record.reason());
            }
            return new Next.Done(
                    refused(new Refusal.OutcomeUnknown(unknown.record().fence())));
        }
        return patience.next(engine.timer().nanos())
                .<Next>map(Next.Pause::new)
                .orElseGet(() -> new Next.Done(refusedInProgress()));
    }

    private Claim granted(ClaimAnswer.Granted granted) {
        Lease lease = granted.lease();
        LostUnknowns.Lost lost = engine.lostUnknowns().missingFrom(granted.record());
        if (lost != null) {
            ground.settle(granted.record(), lost.outcome());
            return refused(lost.isAbout(intent) ? new Refusal.OutcomeUnknown(lease.fence()) : new Refusal.Mismatch());
        }
        engine.listeners()
                .tell(new Event.Granted(operation(), identity(), lease.fence(), granted.attempts() > 1, took()));
        return ground.granted(granted.record(), askedNanos);
    }

    private Claim replayed(StoredRecord record) {
        Response sealed = responseOf(record);
        Envelope.Opened opened = engine.envelope().open(identity(), sealed);
        ground.completed(new NearReplays.Completion(
                identity(), record.fingerprint(), sealed, askedNanos, record.retentionRemaining()));
        trace.replayed(false, opened.origin());
        engine.listeners().tell(new Event.Replayed(operation(), identity(), false, took()));
        return new Claim.Recorded(opened.response(), opened.failure());
    }

    Refusal refusedInProgress() {
        return refused(new Refusal.InProgress(RETRY_AFTER));
    }

    private Refusal refused(Refusal refusal) {
        trace.refused(refusal);
        if (refusal instanceof Refusal.OutcomeUnknown unknown) {
            engine.listeners().tell(new Event.RefusedUnknown(operation(), identity(), unknown.fence(), took()));
        } else if (refusal instanceof Refusal.Mismatch) {
            engine.listeners().tell(new Event.RefusedMismatch(operation(), identity(), took()));
        } else {
            engine.listeners().tell(new Event.RefusedInProgress(operation(), identity(), took()));
        }
        return refusal;
    }

    private static Response responseOf(StoredRecord record) {
        if (record.response() == null) {
            throw new StoreException("the store says that " + record.identity() + " is completed, but has no response");
        }
        return record.response();
    }
}
