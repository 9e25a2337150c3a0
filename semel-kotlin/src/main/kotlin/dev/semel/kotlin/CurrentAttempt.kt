package dev.semel.kotlin

import dev.semel.Attempt
import dev.semel.adapter.RunningAttempt
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.ThreadContextElement

/** Makes an attempt current, for tracing, on each thread while that thread runs the coroutine of its work. */
internal class CurrentAttempt private constructor(
    private val attempt: RunningAttempt,
) : ThreadContextElement<RunningAttempt.Entered> {
    override val key: CoroutineContext.Key<CurrentAttempt> get() = Key

    override fun updateThreadContext(context: CoroutineContext): RunningAttempt.Entered = attempt.enter()

    override fun restoreThreadContext(
        context: CoroutineContext,
        oldState: RunningAttempt.Entered,
    ) {
        oldState.leave()
    }

    internal companion object Key : CoroutineContext.Key<CurrentAttempt> {
        /** Nothing where another implementation of the engine gives attempts that cannot be entered. */
        fun of(attempt: Attempt): CoroutineContext = if (attempt is RunningAttempt) CurrentAttempt(attempt) else EmptyCoroutineContext
    }
}
