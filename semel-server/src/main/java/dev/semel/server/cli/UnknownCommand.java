package dev.semel.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on unknown outcomes. */
@Command(
        name = "unknown",
        description = "Lists unknown outcomes, shows one, and settles it.",
        subcommands = {
            UnknownListCommand.class,
            UnknownShowCommand.class,
            UnknownResolveCommand.class,
            UnknownRequeueCommand.class,
            UnknownNoteCommand.class
        })
final class UnknownCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, such as 'unknown list'");
    }
}
