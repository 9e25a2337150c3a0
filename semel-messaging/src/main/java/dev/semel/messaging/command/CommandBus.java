package dev.semel.messaging.command;

import org.jspecify.annotations.Nullable;

/** What has commands executed. */
public interface CommandBus {

    <R extends @Nullable Object> R dispatch(Command<R> command);
}
