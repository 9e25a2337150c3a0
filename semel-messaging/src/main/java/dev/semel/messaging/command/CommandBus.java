package dev.semel.messaging.command;

import org.jspecify.annotations.Nullable;

/** Dispatches commands to the code that executes them. */
public interface CommandBus {

    <R extends @Nullable Object> R dispatch(Command<R> command);
}
