package dev.semel.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on single records. */
@Command(name = "keys", description = "Shows the records of keys.", subcommands = KeysShowCommand.class)
final class KeysCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing, such as 'keys show SCOPE KEY'");
    }
}
