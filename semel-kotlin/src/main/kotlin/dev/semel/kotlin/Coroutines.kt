package dev.semel.kotlin

import dev.semel.Attempt
import dev.semel.Codec
import dev.semel.Execution
import dev.semel.Intent
import dev.semel.NotExecutedException
import dev.semel.OutcomeUnknownException
import dev.semel.Semel
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext

/**
 * Runs suspending work unless this intent was executed before, in which case it returns what was recorded then. It blocks no
 * thread. What the work throws reaches the caller after the record was settled by the operation's policy.
 *
 * The work runs in the caller's coroutine, on its dispatcher. A cancellation of that coroutine never makes a key free whose
 * effect may have happened:
 *
 * 1. Before the work begins, also while it waits for a duplicate, the caller is cancelled at once. If the right to execute is
 *    granted after all, the key is released: nothing was executed.
 * 2. Once the work has begun, it runs to its end and is recorded; the cancellation takes effect afterwards. So `withTimeout`
 *    around this call waits for the work. To limit the work, use `withTimeout` within it.
 * 3. Work that is cancelled from within, such as by its own `withTimeout`, leaves the outcome unknown, whatever the policy
 *    says, unless the work has declared it with [Attempt.notExecuted].
 *
 * @throws dev.semel.RecordedFailureException the replay of a recorded failure
 * @throws dev.semel.StoreException when the claim could not be made: nothing was executed
 */
public suspend fun <T> Semel.executeSuspending(
    intent: Intent,
    codec: Codec<T>,
    work: suspend (Attempt) -> T,
): Execution<T> {
    val turn = CompletableDeferred<Attempt?>()
    val answer = CompletableFuture<T>()
    val ended = CompletableDeferred<Result<Execution<T>>>()
    executeAsync(intent, codec) { attempt ->
        turn.complete(attempt)
        answer
    }.whenComplete { execution, failure ->
        ended.complete(if (failure == null) Result.success(execution) else Result.failure(unwrapped(failure)))
        turn.complete(null)
    }
    val granted =
        try {
            turn.await()
        } catch (cancelled: CancellationException) {
            answer.completeExceptionally(
                NotExecutedException("the caller was cancelled before the work began", cancelled),
            )
            throw cancelled
        }
    if (granted == null) {
        return ended.await().getOrThrow()
    }
    return withContext(NonCancellable + CurrentAttempt.of(granted)) {
        val failure = runInto(answer) { work(granted) }
        val execution = ended.await()
        if (failure is CancellationException) {
            throw failure
        }
        execution.getOrThrow()
    }
}

/** Runs the work, hands over its answer, and returns what it threw. */
private suspend fun <T> runInto(
    answer: CompletableFuture<T>,
    work: suspend () -> T,
): Throwable? {
    val value =
        try {
            work()
        } catch (failure: Throwable) {
            answer.completeExceptionally(
                if (isCancellation(failure)) OutcomeUnknownException("the work was cancelled", failure) else failure,
            )
            return failure
        }
    answer.complete(value)
    return null
}

/** Whether a cancellation is among the causes: how far the work had come, no one can tell. */
private fun isCancellation(failure: Throwable): Boolean =
    generateSequence(failure) { it.cause }.take(DEEPEST_CAUSE).any { it is CancellationException }

/** Causes may form a circle. */
private const val DEEPEST_CAUSE = 100

private fun unwrapped(failure: Throwable): Throwable = if (failure is CompletionException) failure.cause ?: failure else failure
