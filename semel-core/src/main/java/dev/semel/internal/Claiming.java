package dev.semel.internal;

import dev.semel.Claim;
import dev.semel.Event;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One caller's claim, over as many questions to the store as its waiting takes. */
final class Claiming {

    /** What to do after one answer of the store. */
    sealed interface Next {

        record Done(Claim claim) implements Next {}

        /** Somebody else is at it: ask again after this. */
        record Pause(Duration length) implements Next {}

        /** The record's fingerprint is another version of the same meaning: ask again with that one. */
        record AskAgain() implements Next {}
    }

    /** Where the claim is made. */
    interface Ground {
        CompletionStage<ClaimAnswer> claim(ClaimRequest request);
    }

    /** What becomes of a granted claim that was asked for at this moment. */
    interface Grant {
        Claim.Granted of(StoredRecord granted, long askedNanos);
    }

    /** What a refused duplicate is told to wait: most operations end sooner, and nobody gains from asking more often. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Engine engine;
    private final Intent intent;
    private final Ground ground;
    private final Grant grant;
    private final Waiting patience;
    private final CompletableFuture<Claim> result = new CompletableFuture<>();
    private ClaimRequest request;
    private long askedNanos;

    Claiming(Engine engine, Intent intent, Ground ground, Grant grant) {
        this.engine = engine;
        this.intent = intent;
        this.ground = ground;
        this.grant = grant;
        Operation operation = intent.operation();
        this.patience = new Waiting(operation.maxWait(), engine.timer().nanos());
        this.request = new ClaimRequest(
                intent.identity(),
                operation.name(),
                intent.fingerprint(),
                operation.lease(),
                operation.reexecutable(),
                engine.nextHolder());
    }

    /** Completes with the answer, for those who do not block. */
    CompletableFuture<Claim> result() {
        return result;
    }

    Next askBlocking() {
        try {
            return decide(Faults.await(claim()));
        } catch (StoreException fault) {
            throw told(fault);
        }
    }

    CompletionStage<Next> ask() {
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
        askedNanos = engine.timer().nanos();
        return Faults.staged(() -> ground.claim(request));
    }

    private StoreException told(StoreException fault) {
        engine.listeners().tell(new Event.StoreFault(request.operation(), request.identity(), "claim", fault));
        return fault;
    }

    private Next decide(ClaimAnswer answer) {
        if (answer instanceof ClaimAnswer.Granted granted) {
            return new Next.Done(granted(granted));
        }
        if (answer instanceof ClaimAnswer.Recorded recorded) {
            Envelope.Opened opened = engine.envelope().open(request.identity(), responseOf(recorded.record()));
            engine.listeners().tell(new Event.Replayed(request.operation(), request.identity()));
            return new Next.Done(new Claim.Recorded(opened.response(), opened.failure()));
        }
        if (answer instanceof ClaimAnswer.Mismatch mismatch) {
            if (!request.fingerprint().matches(mismatch.record().fingerprint())
                    && intent.sameAs().test(mismatch.record().fingerprint())) {
                request = request.withFingerprint(mismatch.record().fingerprint());
                return new Next.AskAgain();
            }
            return new Next.Done(refused(new Refusal.Mismatch()));
        }
        if (answer instanceof ClaimAnswer.Unknown unknown) {
            return new Next.Done(
                    refused(new Refusal.OutcomeUnknown(unknown.record().fence())));
        }
        return patience.next(engine.timer().nanos())
                .<Next>map(Next.Pause::new)
                .orElseGet(() -> new Next.Done(refusedInProgress()));
    }

    private Claim granted(ClaimAnswer.Granted granted) {
        Lease lease = granted.lease();
        engine.listeners()
                .tell(new Event.Granted(
                        request.operation(), request.identity(), lease.fence(), granted.attempts() > 1));
        return grant.of(granted.record(), askedNanos);
    }

    Refusal refusedInProgress() {
        return refused(new Refusal.InProgress(RETRY_AFTER));
    }

    private Refusal refused(Refusal refusal) {
        String operation = request.operation();
        Identity identity = request.identity();
        if (refusal instanceof Refusal.OutcomeUnknown unknown) {
            engine.listeners().tell(new Event.RefusedUnknown(operation, identity, unknown.fence()));
        } else if (refusal instanceof Refusal.Mismatch) {
            engine.listeners().tell(new Event.RefusedMismatch(operation, identity));
        } else {
            engine.listeners().tell(new Event.RefusedInProgress(operation, identity));
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
