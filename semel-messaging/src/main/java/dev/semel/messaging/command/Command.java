package dev.semel.messaging.command;

import org.jspecify.annotations.Nullable;

/**
 * A request to execute an operation.
 *
 * @param <R> the type of its result; {@link Void} for none
 */
public interface Command<R extends @Nullable Object> {

    /** The id of this intent, the same whenever the command is dispatched again. */
    String commandId();
}
