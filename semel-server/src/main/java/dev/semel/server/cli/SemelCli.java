package dev.semel.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code semel}.
 *
 * <p>Exit codes: 0 success; 1 the command failed or found a problem, such as a store that cannot be reached, an unsafe setting
 * or a missing record; 2 the command line is wrong.
 */
@Command(
        name = "semel",
        description =
                "Shows, settles and prunes the records of a store, checks the store, runs a gateway, and tests APIs and clients.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = SemelCli.Version.class,
        subcommands = {
            SchemaCommand.class,
            PruneCommand.class,
            DoctorCommand.class,
            RepairCommand.class,
            KeysCommand.class,
            UnknownCommand.class,
            StatsCommand.class,
            MisuseCommand.class,
            CompletionCommand.class,
            ConsoleCommand.class,
            GatewayCommand.class,
            CheckCommand.class,
            ConformanceServerCommand.class,
            SimulateCommand.class
        })
public final class SemelCli implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        // The command line writes no log: what goes wrong is its answer. Libraries need not warn that they found none.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SemelCli())
                // curl's options mean the content of a file by @FILE, not arguments in it.
                .setExpandAtFiles(false)
                .setExecutionStrategy(SemelCli::run)
                .setParameterExceptionHandler(SemelCli::explainUsage)
                .setExecutionExceptionHandler(SemelCli::explainFailure);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Rejects unknown arguments also before --help, where picocli would ignore them. */
    private static int run(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed;
        while (last.subcommand() != null) {
            last = last.subcommand();
        }
        if (!last.unmatched().isEmpty()) {
            throw new UnmatchedArgumentException(last.commandSpec().commandLine(), last.unmatched());
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } finally {
            // The process exits next, and text that does not end with a line would be lost.
            last.commandSpec().commandLine().getOut().flush();
        }
    }

    private static int explainUsage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("semel: " + messageOf(failure));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static String messageOf(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return oneLine(failure.getMessage());
        }
        String argument = unmatched.getUnmatched().get(0);
        if (argument.startsWith("-")) {
            return "unknown option '" + argument + "'";
        }
        Set<String> commands =
                failure.getCommandLine().getCommandSpec().subcommands().keySet();
        return commands.isEmpty()
                ? "unexpected argument '" + argument + "'"
                : "unknown command '" + argument + "'; the commands are " + String.join(", ", commands);
    }

    private static int explainFailure(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        command.getErr().println("semel: " + oneLine(failure.getMessage()));
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Joins the lines of a message: those of drivers often have several. */
    static String oneLine(@Nullable String message) {
        return String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The version of this build. */
    static final class Version implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() throws IOException {
            Properties properties = new Properties();
            try (InputStream in = SemelCli.class.getResourceAsStream("version.properties")) {
                properties.load(in);
            }
            return new String[] {"semel " + properties.getProperty("version")};
        }
    }
}
