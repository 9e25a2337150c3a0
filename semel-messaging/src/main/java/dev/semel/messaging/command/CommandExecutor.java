package dev.semel.messaging.command;

import dev.semel.Attempt;
import org.jspecify.annotations.Nullable;

/** Executes a command within an attempt. */
public interface CommandExecutor {

    /**
     * Executes a command.
     *
     * @param attempt for downstream keys, steps, and to declare the outcome
     */
    <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt);

    /** An executor that dispatches to a bus and ignores the attempt. */
    static CommandExecutor by(CommandBus bus) {
        return new CommandExecutor() {
            @Override
            public <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt) {
                return bus.dispatch(command);
            }
        };
    }
}
