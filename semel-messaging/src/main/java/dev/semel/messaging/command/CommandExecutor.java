package dev.semel.messaging.command;

import dev.semel.Attempt;
import org.jspecify.annotations.Nullable;

/** What executes a command that is to be executed now, and knows which attempt at it this is. */
public interface CommandExecutor {

    /**
     * Executes a command.
     *
     * @param attempt for downstream keys, steps, and to say what became of it
     */
    <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt);

    /** The executor that leaves it to a bus, which needs to know nothing of attempts. */
    static CommandExecutor by(CommandBus bus) {
        return new CommandExecutor() {
            @Override
            public <R extends @Nullable Object> R execute(Command<R> command, Attempt attempt) {
                return bus.dispatch(command);
            }
        };
    }
}
