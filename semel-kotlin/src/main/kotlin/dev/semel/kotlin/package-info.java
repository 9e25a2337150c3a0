/** Coroutines that execute once per key, and Kotlin's idioms for operations, intents and executions. */
@NullMarked
package dev.semel.kotlin;

import org.jspecify.annotations.NullMarked;
