package dev.semel.server.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh:"
                + " 'source <(semel completion)'.")
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("semel", spec.root().commandLine()));
        return ExitCode.OK;
    }
}
