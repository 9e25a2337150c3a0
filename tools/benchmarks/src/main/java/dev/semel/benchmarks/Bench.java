package dev.semel.benchmarks;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.database.OpenDatabases;
import dev.semel.benchmarks.database.Place;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.ReportFiles;
import dev.semel.benchmarks.report.TextReport;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Progress;
import dev.semel.benchmarks.suite.Settings;
import dev.semel.benchmarks.suite.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code semel bench}.
 *
 * <p>Exit codes: 0 measured, whatever came of it; 1 the run itself failed; 2 the command line is wrong.
 */
@Command(
        name = "semel bench",
        description = "Measures Semel next to what others do, in rounds that they share, on a database of its own.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Bench implements Callable<Integer> {

    /** Set by the launcher when the error output is a terminal. */
    private static final String TERMINAL = "semel.terminal";

    private static final double LONGEST_SLICE_SECONDS = 600;
    private static final int MOST_ROUNDS = 1_000;
    private static final int MOST_CALLERS = 4_096;
    private static final int MOST_RECORDS = 100_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = OpenDatabases.CHOICES
                    + "; databases, files or keys are created there and removed at the end; default: postgresql, or redis"
                    + " for the suite redis")
    private @Nullable String store;

    @Option(
            names = "--sync-delay",
            paramLabel = "MICROS",
            defaultValue = "0",
            description =
                    "have the PostgreSQL that is started wait so long before each sync of its log, as if the disk took"
                            + " longer: 1700 is like a disk across a network; default: ${DEFAULT-VALUE}")
    private int syncDelay;

    @Option(
            names = "--suite",
            paramLabel = "NAME",
            split = ",",
            description =
                    "which suites, or parts of them such as store.pairs, with commas between; default: store, or redis on"
                            + " a Redis")
    private List<String> suiteNames = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "2",
            description = "length of one slice, such as 2 or 0.5; default: ${DEFAULT-VALUE}")
    private double seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "how many slices each contender gets, after some to warm up; default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--callers",
            paramLabel = "N",
            split = ",",
            description = "how many callers at once, with commas between; default: what the targets are about")
    private List<Integer> callers = List.of();

    @Option(
            names = "--records",
            paramLabel = "N",
            split = ",",
            description = "how many records there are beforehand, where a suite asks; default: the suite's")
    private List<Integer> records = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where tables, CSV and SVG are written; default: target/bench/STORE")
    private @Nullable Path out;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Bench());
        List<String> footer = new ArrayList<>(List.of("%nSuites:"));
        for (Suite suite : Suites.all()) {
            footer.add("  " + suite.name() + ": " + suite.description());
            if (!suite.parts().isEmpty()) {
                footer.add("    parts: " + String.join(", ", suite.parts()));
            }
        }
        commandLine.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
        return commandLine
                .setUsageHelpWidth(120)
                .setParameterExceptionHandler(Bench::explainUsage)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("semel bench: " + failure.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static int explainUsage(ParameterException failure, String[] arguments) {
        PrintWriter err = failure.getCommandLine().getErr();
        err.println("semel: " + failure.getMessage());
        err.println("Try 'semel bench --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = settings();
        Map<Suite, Set<String>> suites = understood(() -> Suites.chosen(suiteNames()));
        String where = store(suites.keySet());
        OpenDatabases.Opening opening = understood(() -> OpenDatabases.parse(where, syncDelay));
        Path directory = directory(where);
        Progress progress = new Progress(spec.commandLine().getErr(), Boolean.getBoolean(TERMINAL));
        PrintWriter answer = spec.commandLine().getOut();

        progress.status("starting " + where);
        Place place = opening.open();
        Thread hook = new Thread(() -> close(place));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            String detail = Machine.describe() + "; " + place.description();
            progress.line(detail);
            for (Map.Entry<Suite, Set<String>> chosen : suites.entrySet()) {
                BenchContext context = new BenchContext(settings, place, progress, chosen.getValue());
                Report report = chosen.getKey().run(context);
                progress.clear();
                answer.println();
                answer.print(TextReport.of(report));
                List<Path> files = ReportFiles.write(report, detail, directory);
                answer.println();
                answer.println("Written: "
                        + String.join(", ", files.stream().map(Path::toString).toList()));
                answer.flush();
            }
        } finally {
            close(place);
            forget(hook);
        }
        return CommandLine.ExitCode.OK;
    }

    private void close(Place place) {
        try {
            place.close();
        } catch (IOException | SQLException e) {
            spec.commandLine().getErr().println("semel bench: cannot clean up: " + e.getMessage());
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is being ended, and the hook is what ends the server.
        }
    }

    private Settings settings() {
        if (!(seconds > 0 && seconds <= LONGEST_SLICE_SECONDS)) {
            throw usage("--seconds must be above 0 and at most 600");
        }
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw usage("--rounds must be from 1 to " + MOST_ROUNDS);
        }
        for (int number : callers) {
            if (number < 1 || number > MOST_CALLERS) {
                throw usage("--callers must be from 1 to " + MOST_CALLERS + ", with commas between");
            }
        }
        for (int number : records) {
            if (number < 1 || number > MOST_RECORDS) {
                throw usage("--records must be from 1 to " + MOST_RECORDS + ", with commas between");
            }
        }
        return new Settings(Duration.ofNanos(Math.round(seconds * 1e9)), rounds, callers, records);
    }

    private List<String> suiteNames() {
        if (!suiteNames.isEmpty()) {
            return suiteNames;
        }
        Kind kind = store == null ? Kind.DATABASE : OpenDatabases.kindOf(store);
        return List.of(kind.defaultSuite());
    }

    /** What is measured: as it was said, or as the suites need it. */
    private String store(Set<Suite> suites) {
        Kind kind = store == null ? suites.iterator().next().kind() : OpenDatabases.kindOf(store);
        for (Suite suite : suites) {
            if (!suite.runsOn(kind)) {
                throw usage("the suite " + suite.name() + " does not run on "
                        + (store == null ? kind.defaultStore() : "this --store") + ": try --store "
                        + suite.kind().defaultStore() + " for it alone");
            }
        }
        return store == null ? kind.defaultStore() : store;
    }

    /** What an option means, or what is wrong with it. */
    private <T> T understood(Supplier<T> meaning) {
        try {
            return meaning.get();
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private Path directory(String where) {
        Path chosen = out != null ? out : Path.of("target", "bench", where.replaceFirst(":.*", ""));
        if (Files.exists(chosen) && !Files.isDirectory(chosen)) {
            throw usage("--out must be a directory, and " + chosen + " is a file");
        }
        return chosen;
    }

    private ParameterException usage(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
