package dev.semel.server.cli;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/** Command lines that are parsed and not executed. */
public final class CommandLines {

    private CommandLines() {}

    /** Why the command line refuses these arguments, if it does. */
    public static Optional<String> refusal(List<String> arguments) {
        try {
            var parsed = SemelCli.commandLine().parseArgs(arguments.toArray(String[]::new));
            return parsed.hasSubcommand() ? Optional.empty() : Optional.of("a command is missing");
        } catch (ParameterException refused) {
            return Optional.of(refused.getMessage());
        }
    }
}
