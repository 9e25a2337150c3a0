package dev.semel.kotlin

import dev.semel.Execution

/**
 * The answer that every retry will get as well, or what this function makes of an execution without one: the code did not run,
 * or its answer is not on record. `when` over [Execution] tells all cases apart.
 */
public inline fun <T> Execution<T>.getOrElse(otherwise: (Execution<T>) -> T): T =
    when (this) {
        is Execution.Ran -> value
        is Execution.Replayed -> value
        is Execution.Refused, is Execution.LeaseLost, is Execution.Unconfirmed -> otherwise(this)
    }

/** The answer that every retry will get as well; null when there is none. */
public fun <T> Execution<T>.getOrNull(): T? =
    when (this) {
        is Execution.Ran -> value
        is Execution.Replayed -> value
        is Execution.Refused, is Execution.LeaseLost, is Execution.Unconfirmed -> null
    }
