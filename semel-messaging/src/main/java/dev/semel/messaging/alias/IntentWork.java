package dev.semel.messaging.alias;

import dev.semel.Attempt;
import org.jspecify.annotations.Nullable;

/** The application's code that executes the intent of a message, once. */
@FunctionalInterface
public interface IntentWork<M, T extends @Nullable Object> {

    /**
     * Executes the intent.
     *
     * @param attempt of the intent, not of the message
     * @return its result, which every channel gets
     * @throws Exception when the execution failed
     */
    T execute(M message, Attempt attempt) throws Exception;
}
