package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Semel.AsyncWork;
import dev.semel.Semel.CheckedWork;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs work that was granted and settles what came of it. */
final class Runner {

    private static final Outcome NOT_ENCODABLE = new Outcome.Unknown("response_not_encodable");

    private Runner() {}

    static <T extends @Nullable Object, E extends Exception> Execution<T> run(
            Claim claim, Codec<T> codec, CheckedWork<T, E> work) throws E {
        if (!(claim instanceof Claim.Granted granted)) {
            return withoutRunning(claim, codec);
        }
        LiveAttempt attempt = (LiveAttempt) granted.attempt();
        T value;
        try {
            value = within(attempt, work);
        } catch (Throwable failure) {
            noteOn(failure, attempt.settleAndWait(outcomeOf(attempt, failure), true));
            throw failure;
        }
        Response response;
        try {
            response = Response.of(codec.encode(value));
        } catch (Throwable notEncodable) {
            noteOn(notEncodable, attempt.settleAndWait(NOT_ENCODABLE, false));
            throw notEncodable;
        }
        return executed(value, attempt.settleAndWait(new Outcome.Completed(response), false));
    }

    /** Runs work on this thread, with the attempt current on it. */
    static <T extends @Nullable Object, E extends Exception> T within(RunningAttempt attempt, CheckedWork<T, E> work)
            throws E {
        RunningAttempt.Entered entered = attempt.enter();
        try {
            return work.run(attempt);
        } finally {
            entered.leave();
        }
    }

    static <T extends @Nullable Object> CompletionStage<Execution<T>> runAsync(
            Claim claim, Codec<T> codec, AsyncWork<T> work) {
        if (!(claim instanceof Claim.Granted granted)) {
            return CompletableFuture.completedFuture(withoutRunning(claim, codec));
        }
        LiveAttempt attempt = (LiveAttempt) granted.attempt();
        CompletionStage<T> running;
        RunningAttempt.Entered entered = attempt.enter();
        try {
            running = Objects.requireNonNull(work.start(attempt), "asynchronous work returned no stage");
        } catch (Throwable failure) {
            running = CompletableFuture.failedFuture(failure);
        } finally {
            entered.leave();
        }
        CompletableFuture<Execution<T>> result = new CompletableFuture<>();
        running.whenComplete((value, wrapped) -> {
            Throwable failure = Faults.unwrapped(wrapped);
            try {
                if (failure == null) {
                    settleAsync(attempt, codec, value, result);
                } else {
                    failAfter(attempt.settle(outcomeOf(attempt, failure), true), failure, result);
                }
            } catch (Throwable fault) {
                result.completeExceptionally(fault);
            }
        });
        return result;
    }

    private static <T extends @Nullable Object> void settleAsync(
            LiveAttempt attempt, Codec<T> codec, T value, CompletableFuture<Execution<T>> result) {
        Response response;
        try {
            response = Response.of(codec.encode(value));
        } catch (Throwable notEncodable) {
            failAfter(attempt.settle(NOT_ENCODABLE), notEncodable, result);
            return;
        }
        attempt.settle(new Outcome.Completed(response))
                .thenAccept(settlement -> result.complete(executed(value, settlement)));
    }

    private static void failAfter(
            CompletionStage<Settlement> settling, Throwable failure, CompletableFuture<?> result) {
        settling.thenAccept(settlement -> {
            noteOn(failure, settlement);
            result.completeExceptionally(failure);
        });
    }

    static <T extends @Nullable Object> Execution<T> withoutRunning(Claim claim, Codec<T> codec) {
        if (claim instanceof Claim.Recorded recorded) {
            if (recorded.failure()) {
                throw RecordedFailures.decode(recorded.response());
            }
            return new Execution.Replayed<>(codec.decode(recorded.response().bytes()));
        }
        return new Execution.Refused<>(((Claim.Refused) claim).why());
    }

    static <T extends @Nullable Object> Execution<T> executed(T value, Settlement settlement) {
        if (settlement instanceof Settlement.Settled settled) {
            return new Execution.Ran<>(value, settled.outcome());
        }
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            return new Execution.Unconfirmed<>(value, unconfirmed.fault());
        }
        return new Execution.LeaseLost<>(value);
    }

    /** Whatever goes wrong on the way, there is an outcome: an attempt without one would be kept alive for ever. */
    private static Outcome outcomeOf(LiveAttempt attempt, Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        try {
            return switch (attempt.judge(failure)) {
                case REPLAY -> new Outcome.Completed(RecordedFailures.encode(failure));
                case RETRY -> new Outcome.NotExecuted(reason);
                case RECONCILE -> new Outcome.Unknown(reason);
            };
        } catch (Throwable brokenRule) {
            if (brokenRule != failure) {
                failure.addSuppressed(brokenRule);
            }
            return new Outcome.Unknown(reason);
        }
    }

    private static void noteOn(Throwable failure, Settlement settlement) {
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            failure.addSuppressed(unconfirmed.fault());
        }
    }
}
