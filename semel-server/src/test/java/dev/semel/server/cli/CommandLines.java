package dev.semel.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Command lines for tests of other packages. */
public final class CommandLines {

    private CommandLines() {}

    /** Runs a command, and returns what it printed. */
    public static String output(List<String> arguments) {
        StringWriter printed = new StringWriter();
        CommandLine command = SemelCli.commandLine();
        command.setOut(new PrintWriter(printed));
        command.setErr(new PrintWriter(printed));
        command.execute(arguments.toArray(String[]::new));
        return printed.toString();
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
