package dev.semel.internal;

import dev.semel.AsyncWork;
import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Outcome;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.Settlement;
import dev.semel.Work;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs work that was granted and settles what came of it. */
final class Runner {

    private Runner() {}

    static <T extends @Nullable Object, E extends Exception> Execution<T> run(
            Claim claim, Codec<T> codec, Work<T, E> work) throws E {
        if (!(claim instanceof Claim.Granted granted)) {
            return withoutRunning(claim, codec);
        }
        LiveAttempt attempt = (LiveAttempt) granted.attempt();
        T value;
        try {
            value = work.run(attempt);
        } catch (Throwable failure) {
            Settlement settlement = Faults.await(settleFailure(attempt, failure));
            noteOn(failure, settlement);
            throw failure;
        }
        return executed(value, Faults.await(settleValue(attempt, codec, value)));
    }

    static <T extends @Nullable Object> CompletionStage<Execution<T>> runAsync(
            Claim claim, Codec<T> codec, AsyncWork<T> work) {
        if (!(claim instanceof Claim.Granted granted)) {
            return CompletableFuture.completedFuture(withoutRunning(claim, codec));
        }
        LiveAttempt attempt = (LiveAttempt) granted.attempt();
        CompletionStage<T> running;
        try {
            running = work.start(attempt);
        } catch (RuntimeException | Error failure) {
            running = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<Execution<T>> result = new CompletableFuture<>();
        running.whenComplete((value, wrapped) -> {
            Throwable failure = Faults.unwrapped(wrapped);
            if (failure == null) {
                settleAsync(attempt, codec, value, result);
            } else {
                settleFailure(attempt, failure).thenAccept(settlement -> {
                    noteOn(failure, settlement);
                    result.completeExceptionally(failure);
                });
            }
        });
        return result;
    }

    private static <T extends @Nullable Object> void settleAsync(
            LiveAttempt attempt, Codec<T> codec, T value, CompletableFuture<Execution<T>> result) {
        try {
            settleValue(attempt, codec, value).thenAccept(settlement -> result.complete(executed(value, settlement)));
        } catch (RuntimeException | Error notEncodable) {
            result.completeExceptionally(notEncodable);
        }
    }

    private static <T extends @Nullable Object> Execution<T> withoutRunning(Claim claim, Codec<T> codec) {
        if (claim instanceof Claim.Recorded recorded) {
            byte[] bytes = recorded.response().bytes();
            if (recorded.failure()) {
                throw decodedFailure(bytes);
            }
            return new Execution.Replayed<>(codec.decode(bytes));
        }
        return new Execution.Refused<>((Refusal) claim);
    }

    private static <T extends @Nullable Object> Execution<T> executed(T value, Settlement settlement) {
        if (settlement instanceof Settlement.Settled settled) {
            return new Execution.Ran<>(value, settled.outcome());
        }
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            return new Execution.Unconfirmed<>(value, unconfirmed.fault());
        }
        return new Execution.LeaseLost<>(value);
    }

    private static <T extends @Nullable Object> CompletionStage<Settlement> settleValue(
            LiveAttempt attempt, Codec<T> codec, T value) {
        byte[] bytes;
        try {
            bytes = codec.encode(value);
        } catch (RuntimeException | Error notEncodable) {
            noteOn(notEncodable, Faults.await(attempt.settle(new Outcome.Unknown("response_not_encodable"))));
            throw notEncodable;
        }
        return attempt.settle(new Outcome.Completed(Response.of(bytes)));
    }

    private static CompletionStage<Settlement> settleFailure(LiveAttempt attempt, Throwable failure) {
        Failures meaning;
        try {
            meaning = attempt.judge(failure);
        } catch (RuntimeException brokenRule) {
            failure.addSuppressed(brokenRule);
            meaning = Failures.RECONCILE;
        }
        String reason = failure.getClass().getSimpleName();
        return switch (meaning) {
            case REPLAY -> attempt.settle(new Outcome.Completed(encodedFailure(failure)), true);
            case RETRY -> attempt.settle(new Outcome.NotExecuted(reason));
            case RECONCILE -> attempt.settle(new Outcome.Unknown(reason));
        };
    }

    private static void noteOn(Throwable failure, Settlement settlement) {
        if (settlement instanceof Settlement.Unconfirmed unconfirmed) {
            failure.addSuppressed(unconfirmed.fault());
        }
    }

    private static Response encodedFailure(Throwable failure) {
        String text = failure.getClass().getName() + "\n" + (failure.getMessage() == null ? "" : failure.getMessage());
        return Response.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static RecordedFailureException decodedFailure(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        return new RecordedFailureException(text.substring(0, end), text.substring(end + 1));
    }
}
