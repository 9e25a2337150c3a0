package dev.semel.torture;

import dev.semel.redis.uri.RedisUri;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.history.CheckResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code semel torture}.
 *
 * <p>Exit codes: 0 valid; 1 invalid; 2 the command line is wrong; 3 inconclusive, or the run itself failed.
 */
@Command(
        name = "semel torture",
        description =
                "Runs several application processes on one store, breaks everything, and checks that no promise was"
                        + " broken.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Torture implements Callable<Integer> {

    private static final int INVALID = 1;
    private static final int INCONCLUSIVE = 3;

    /** Each in the time that it needs to have a fault of every kind. */
    private static final double DEFAULT_MINUTES = 3;

    private static final double DEFAULT_MINUTES_WITH_BUG = 0.75;

    /** The longest description of a bug on one line. */
    private static final int HELP_WIDTH = 130;

    /** Held here, or its level would be forgotten. */
    private static final Logger CLIENT_OF_REDIS = Logger.getLogger("io.lettuce");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "how long things are broken, such as 3 or 0.5; default: 3, with a bug 0.75")
    private @Nullable Double minutes;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "sqlite",
            description =
                    "sqlite, postgresql, mysql, redis, redis-cluster, cassandra or tiered for a store of its own, or the URI of one;"
                            + " default: ${DEFAULT-VALUE}")
    private String store = "";

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "repeats the schedule of an earlier run; default: a new one")
    private @Nullable Long seed;

    @Option(
            names = "--apps",
            paramLabel = "N",
            defaultValue = "3",
            description = "how many application processes; default: ${DEFAULT-VALUE}")
    private int apps;

    @Option(
            names = "--bug",
            paramLabel = "NAME",
            completionCandidates = BugNames.class,
            description = "plants a mistake, which must make the run invalid: ${COMPLETION-CANDIDATES}")
    private @Nullable String bugName;

    @Option(
            names = "--late-retries",
            paramLabel = "KIND",
            description =
                    "retries part of the keys after their retention, when their records are deleted: by-time, keys that"
                            + " carry their time, or by-tombstone, keys of both kinds on a store with tombstones")
    private @Nullable String lateRetries;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description =
                    "keeps the logs in this new directory; default: a temporary one, kept unless the run is valid")
    private @Nullable Path logs;

    /** For the help. */
    static final class BugNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Bug.labels().iterator();
        }
    }

    public static void main(String[] arguments) {
        // That servers cannot be reached which are broken on purpose is no news.
        CLIENT_OF_REDIS.setLevel(Level.SEVERE);
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Torture());
        commandLine.getCommandSpec().usageMessage().footer(footer());
        return commandLine
                .setUsageHelpWidth(HELP_WIDTH)
                .setParameterExceptionHandler(Torture::explainUsage)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("semel torture: " + failure);
                    return INCONCLUSIVE;
                });
    }

    private static String[] footer() {
        return Stream.concat(
                        Stream.of("%nBugs:"),
                        Arrays.stream(Bug.values())
                                .map(bug -> String.format(
                                        Locale.ROOT,
                                        "  %-27s %-4s %s",
                                        bug.label(),
                                        bug.invariant(),
                                        bug.description())))
                .toArray(String[]::new);
    }

    private static int explainUsage(ParameterException failure, String[] arguments) {
        PrintWriter err = failure.getCommandLine().getErr();
        err.println("semel: " + failure.getMessage());
        err.println("Try 'semel torture --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Bug bug = bug();
        double length = minutes != null ? minutes : bug == null ? DEFAULT_MINUTES : DEFAULT_MINUTES_WITH_BUG;
        if (!(length > 0 && length <= 24 * 60) || apps < 1 || apps > 20) {
            throw usage("--minutes must be above 0 and at most 1440, --apps from 1 to 20");
        }
        Emphasis emphasis = emphasis(bug);
        Opening opening = opening();
        long chosen = seed != null ? seed : new SplittableRandom().nextInt(1_000_000);
        Path directory = logs != null ? Files.createDirectory(logs) : Files.createTempDirectory("semel-torture-");
        try (Backend backend = opening.open(directory)) {
            Setup setup =
                    new Setup(chosen, Duration.ofMillis((long) (length * 60_000)), apps, backend.kind(), emphasis);
            out.println("Torturing " + apps + " processes on "
                    + backend.kind().name().toLowerCase(Locale.ROOT) + " for "
                    + setup.length().toSeconds() + " s, seed " + chosen
                    + (bug == null ? "" : ", with the bug " + bug.label()));
            out.println("Logs in " + directory);
            out.flush();
            CheckResult verdict = new Conductor(setup, backend, directory, bug, line -> {
                        out.println(line);
                        out.flush();
                    })
                    .run();
            Report.print(verdict, out);
            return conclude(verdict, directory, chosen, out);
        }
    }

    private int conclude(CheckResult verdict, Path directory, long chosen, PrintWriter out) {
        if (verdict instanceof CheckResult.Valid && logs == null) {
            delete(directory);
        } else {
            out.println("Logs kept in " + directory + "; the schedule comes again with --seed " + chosen);
        }
        out.flush();
        if (verdict instanceof CheckResult.Valid) {
            return CommandLine.ExitCode.OK;
        }
        return verdict instanceof CheckResult.Invalid ? INVALID : INCONCLUSIVE;
    }

    private @Nullable Bug bug() {
        String name = bugName;
        if (name == null) {
            return null;
        }
        return Bug.ofLabel(name).orElseThrow(() -> usage("there is no bug " + name + "; --help lists them"));
    }

    private Emphasis emphasis(@Nullable Bug bug) {
        String kind = lateRetries;
        if (kind == null) {
            return Emphasis.on(bug);
        }
        if (bug != null) {
            throw usage("--late-retries and --bug exclude each other: a bug has the keys that show it");
        }
        return switch (kind) {
            case "by-time" -> Emphasis.LATE_BY_TIME;
            case "by-tombstone" -> Emphasis.LATE_BY_TOMBSTONE;
            default -> throw usage("--late-retries must be by-time or by-tombstone");
        };
    }

    private interface Opening {
        Backend open(Path directory) throws IOException;
    }

    private Opening opening() {
        return switch (store) {
            case "sqlite" -> directory -> new SqliteBackend(directory.resolve("semel.db"));
            case "postgresql" -> directory -> PostgresBackend.start(directory.resolve("postgresql"), apps);
            case "mysql" -> directory -> MariadbBackend.start(directory.resolve("mariadb"), apps);
            case "redis" -> directory -> RedisBackend.start(apps);
            case "redis-cluster" -> directory -> RedisClusterBackend.start();
            case "cassandra" -> directory -> CassandraBackend.start();
            case "tiered" -> directory -> TieredBackend.start(directory.resolve("postgresql"), apps);
            default -> openingOfAnother();
        };
    }

    /** Opens a store that is there already. */
    private Opening openingOfAnother() {
        if (store.startsWith("sqlite:")) {
            Path file = Path.of(store.substring("sqlite:".length()));
            return directory -> new SqliteBackend(file);
        }
        if (store.startsWith("postgresql://")) {
            URI uri = URI.create(store);
            return directory -> PostgresBackend.at(uri, apps);
        }
        if (store.startsWith("mysql://")) {
            URI uri = URI.create(store);
            return directory -> MariadbBackend.at(uri, apps);
        }
        if (store.startsWith("redis://")) {
            requireRedis();
            URI uri = URI.create(store);
            return directory -> RedisBackend.at(uri, apps);
        }
        if (store.startsWith("redis-cluster://")) {
            requireRedis();
            return directory -> RedisClusterBackend.at(store);
        }
        throw usage("--store must be sqlite, postgresql, mysql, redis, redis-cluster, cassandra, tiered, sqlite:PATH,"
                + " postgresql://user:password@host:port/database, mysql://user:password@host:port/database,"
                + " redis://user:password@host:port/database or redis-cluster://user:password@host:port,host:port");
    }

    private void requireRedis() {
        try {
            RedisUri.parse(store);
        } catch (IllegalArgumentException e) {
            throw usage("--store: " + e.getMessage());
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
