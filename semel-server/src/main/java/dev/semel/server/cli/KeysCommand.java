package dev.semel.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on single records. */
@Command(
        name = "keys",
        description = "Lists, shows and forgets the records of keys.",
        subcommands = {KeysListCommand.class, KeysShowCommand.class, KeysForgetCommand.class})
final class KeysCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, such as 'keys show SCOPE KEY'");
    }
}
