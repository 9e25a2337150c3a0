package dev.semel.messaging.command;

import org.jspecify.annotations.Nullable;

/**
 * Something that is to be done.
 *
 * @param <R> what it results in; {@link Void} for nothing
 */
public interface Command<R extends @Nullable Object> {

    /** Names this intent, and is the same whenever it is dispatched again. */
    String commandId();
}
