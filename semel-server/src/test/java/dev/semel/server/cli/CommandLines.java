package dev.semel.server.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/** Command lines, for tests of other packages. */
public final class CommandLines {

    private CommandLines() {}

    /** What the command line prints and exits with. */
    public static Map.Entry<Integer, String> run(String... arguments) {
        Invocation run = Invocation.of(arguments);
        return Map.entry(run.status(), run.out() + run.err());
    }

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
