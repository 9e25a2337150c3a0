package dev.semel.messaging.alias;

import dev.semel.Attempt;
import org.jspecify.annotations.Nullable;

/** What is to be done once for the intent that a message means. */
@FunctionalInterface
public interface IntentWork<M, T extends @Nullable Object> {

    /**
     * Executes the intent.
     *
     * @param attempt at the intent, not at the message
     * @return its result, which every channel gets
     * @throws Exception when it could not
     */
    T execute(M message, Attempt attempt) throws Exception;
}
