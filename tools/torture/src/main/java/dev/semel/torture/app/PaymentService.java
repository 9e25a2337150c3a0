package dev.semel.torture.app;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.crash.CrashPoint;
import dev.semel.torture.crash.CrashPoints;
import dev.semel.torture.history.Receipt;
import dev.semel.torture.provider.Charge;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The application: charges each payment once, or says why not. The same code runs in a process and in a simulation. */
public final class PaymentService {

    /** What the charge is called towards the provider. */
    public static final String PURPOSE = "charge";

    /** Longer than any run. */
    private static final Duration RETENTION = Duration.ofHours(1);

    private static final Answer LATE = new Answer(412, "the retention of this key has passed: not executed now");
    private static final Answer FROM_FUTURE =
            new Answer(400, "the time of this key has not come yet: not executed now");
    private static final Answer UNKNOWN = new Answer(409, "outcome unknown");

    private final SemelEngine semel;
    private final Provider provider;
    private final CrashPoints points;
    private final Timing timing;
    private final @Nullable Bug bug;

    public PaymentService(SemelEngine semel, Provider provider, CrashPoints points, Timing timing, @Nullable Bug bug) {
        this.semel = semel;
        this.provider = provider;
        this.points = points;
        this.timing = timing;
        this.bug = bug;
    }

    /** The operation of payments whose records are kept like this. */
    public static Operation operation(Timing timing, Keeping keeping) {
        Operation operation = switch (keeping) {
            case LONG -> Operation.named("charge").retention(RETENTION);
            case BRIEF -> Operation.named("charge-brief").retention(timing.briefRetention());
            case LATE -> Operation.named("charge-late").retention(timing.briefRetention());
        };
        return operation.lease(timing.lease());
    }

    /** What a request with this meaning is recognized by. */
    static Fingerprint fingerprint(String meaning) {
        return new Fingerprint("v1:" + meaning);
    }

    /** The meaning of a request that has this fingerprint. */
    public static String meaning(Fingerprint fingerprint) {
        return fingerprint.value().substring(fingerprint.version().length() + 1);
    }

    /** Charges once. The stage never fails. */
    public CompletionStage<Answer> pay(Payment payment) {
        Operation operation = operation(timing, payment.keeping())
                .waitUpTo(payment.patient() ? timing.lease().dividedBy(2) : Duration.ZERO);
        Identity identity = bug == Bug.UNSCOPED_KEY
                ? Identity.of("no-tenant", payment.identity().key().value())
                : payment.identity();
        Intent intent = Intent.of(operation, identity.scope(), identity.key(), fingerprint(payment.meaning()));
        return semel.executeAsync(intent, codec(), attempt -> charge(attempt, payment))
                .handle((execution, failure) -> execution == null ? failed(failure, payment) : answer(execution))
                .thenApply(answer -> {
                    points.reach(CrashPoint.BEFORE_REPLY, payment.identity());
                    return answer;
                });
    }

    private Codec<String> codec() {
        if (bug != Bug.TRUNCATED_RESPONSE) {
            return Codec.text();
        }
        Codec<String> whole = Codec.text();
        return Codec.of(value -> Arrays.copyOf(whole.encode(value), 32), whole::decode);
    }

    private CompletionStage<String> charge(Attempt attempt, Payment payment) {
        if (!attempt.stillOwner()) {
            return CompletableFuture.failedFuture(new NotExecutedException("the lease ended before anything was done"));
        }
        points.reach(CrashPoint.BEFORE_DISPATCH, payment.identity());
        return charge(attempt.downstreamKey(PURPOSE), attempt.lease().fence(), payment);
    }

    private CompletionStage<String> charge(String downstreamKey, long fence, Payment payment) {
        Charge charge = new Charge(downstreamKey, payment.identity(), fence, payment.meaning(), payment.treatment());
        return provider.charge(charge).handle((receipt, wrapped) -> {
            points.reach(CrashPoint.AFTER_DISPATCH, payment.identity());
            if (receipt == null) {
                throw judged(unwrapped(wrapped));
            }
            return receipt.map(Receipt::text)
                    .orElseThrow(() -> new NotExecutedException("the provider has refused the charge"));
        });
    }

    private RuntimeException judged(@Nullable Throwable failure) {
        if (bug == Bug.TIMEOUT_IS_FAILURE && failure instanceof OutcomeUnknownException) {
            return new NotExecutedException("the provider did not answer", failure);
        }
        return failure instanceof RuntimeException known
                ? known
                : new OutcomeUnknownException("the call failed: " + failure);
    }

    private static Answer answer(Execution<String> execution) {
        if (execution instanceof Execution.Refused<String> refused) {
            return refused(refused.why());
        }
        if (execution instanceof Execution.LeaseLost<String>) {
            return UNKNOWN;
        }
        if (execution instanceof Execution.Unconfirmed<String>) {
            return new Answer(503, "the store did not confirm");
        }
        String body = execution.orThrow();
        // What is not a whole receipt is a defect, and the client is the one to notice.
        return new Answer(Receipt.parse(body).map(Receipt::status).orElse(201), body);
    }

    private static Answer refused(Refusal why) {
        if (why instanceof Refusal.Mismatch) {
            return new Answer(422, "this key was used for another payment");
        }
        if (why instanceof Refusal.KeyExpired) {
            return LATE;
        }
        if (why instanceof Refusal.KeyFromFuture) {
            return FROM_FUTURE;
        }
        return why instanceof Refusal.InProgress ? new Answer(409, "in progress") : UNKNOWN;
    }

    private Answer failed(@Nullable Throwable wrapped, Payment payment) {
        Throwable failure = unwrapped(wrapped);
        if (failure instanceof NotExecutedException) {
            return new Answer(429, "not executed: " + failure.getMessage());
        }
        if (failure instanceof OutcomeUnknownException) {
            return UNKNOWN;
        }
        if (failure instanceof StoreException) {
            return bug == Bug.DISPATCH_WHILE_DOWN
                    ? executedAnyway(payment)
                    : new Answer(503, "store unavailable: " + failure.getMessage());
        }
        return new Answer(500, String.valueOf(failure));
    }

    private Answer executedAnyway(Payment payment) {
        CompletableFuture<String> charged =
                charge("without a record", 0, payment).toCompletableFuture();
        return charged.isDone() && !charged.isCompletedExceptionally()
                ? new Answer(201, charged.join())
                : new Answer(503, "store unavailable");
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
