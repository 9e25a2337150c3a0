package dev.semel.server.cli;

import dev.semel.server.simulate.Simulation;
import dev.semel.server.simulate.Simulation.EngineResult;
import dev.semel.server.simulate.Simulation.RecordCounts;
import dev.semel.server.simulate.Workload;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints what a workload would ask of each store, by formula and as played. */
@Command(
        name = "simulate",
        description =
                "Plays clients, retries, a hot key and pruning, and prints the records, space, units and hot spots"
                        + " that each engine would have. Asks no store. See docs/how-to/capacity.md for the formulas.")
final class SimulateCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--rate",
            required = true,
            paramLabel = "N",
            description = "Operations that begin each second at the busiest time of the day.")
    private double rate;

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long records are kept (24h).")
    private Duration retention = Duration.ofHours(24);

    @Option(
            names = "--running",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long an operation runs, on average (PT0.2S).")
    private Duration running = Duration.ofMillis(200);

    @Option(
            names = "--retries",
            paramLabel = "PERCENT",
            defaultValue = "5",
            description = "Operations whose client repeats its request (${DEFAULT-VALUE}).")
    private double retries;

    @Option(
            names = "--retry-after",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long such a client waits, on average (2s).")
    private Duration retryAfter = Duration.ofSeconds(2);

    @Option(
            names = "--hot-rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "How often a second one client repeats a single key without end (${DEFAULT-VALUE}).")
    private double hotRate;

    @Option(
            names = "--response-bytes",
            paramLabel = "N",
            defaultValue = "256",
            description = "The size of a response (${DEFAULT-VALUE}).")
    private int responseBytes;

    @Option(
            names = "--quietest",
            paramLabel = "PERCENT",
            defaultValue = "30",
            description = "The rate at the quietest time of the day, of that at the busiest (${DEFAULT-VALUE}).")
    private double quietest;

    @Option(
            names = "--prune-rate",
            paramLabel = "N",
            defaultValue = "0",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description =
                    "Records that are pruned each second, where it is not the database that deletes them (the rate).")
    private double pruneRate;

    @Option(
            names = "--cores",
            paramLabel = "N",
            defaultValue = "16",
            description = "The cores of a machine (${DEFAULT-VALUE}).")
    private int cores;

    @Option(
            names = "--limit",
            paramLabel = "ENGINE=N",
            description = "What a unit of this engine can do each second, as you have measured it.")
    private Map<String, Double> limits = new LinkedHashMap<>();

    @Option(
            names = "--bytes",
            paramLabel = "ENGINE=N",
            description = "The bytes of a record in this engine with a response of 256 bytes, all copies included.")
    private Map<String, Double> bytes = new LinkedHashMap<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed plays the same calls (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--json", description = "Print JSON, one object per line.")
    private boolean json;

    @Override
    public void run() {
        Simulation simulation;
        try {
            Workload workload = new Workload(
                    rate,
                    running,
                    new Workload.Retries(retries / 100, retryAfter, hotRate),
                    new Workload.Kept(
                            retention, responseBytes, quietest / 100, pruneRate == 0 ? Math.max(1, rate) : pruneRate));
            simulation = Simulation.run(workload, new Simulation.Machines(cores, limits, bytes), seed);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            printJson(simulation, out);
        } else {
            print(simulation, out);
        }
    }

    private void print(Simulation simulation, PrintWriter out) {
        Simulation.Counts counts = simulation.counts();
        out.printf(
                Locale.ROOT,
                "Played %d s of the busiest time, seed %d: %,d first requests, %,d replays, %,d while in progress.%n",
                simulation.seconds(),
                seed,
                counts.claims(),
                counts.replays(),
                counts.busy());
        RecordCounts records = simulation.population();
        out.printf(
                Locale.ROOT,
                "Records: %s at most, %s by formula; of these %s waited to be pruned.%n",
                amount(records.played(), ""),
                amount(records.formula(), ""),
                amount(records.waitForPruning(), ""));
        if (records.withoutEnd()) {
            out.println(
                    "Pruning cannot keep up: more records expire in a day than --prune-rate deletes, and their number"
                            + " grows without end. This is where it is after some days.");
        }
        out.println();
        TextTable table = new TextTable(
                "engine",
                "units",
                "sized by",
                "space",
                "work/s played",
                "by formula",
                "hottest unit",
                "hot key",
                "risk",
                "basis");
        for (EngineResult load : simulation.loads()) {
            table.row(
                    load.engine(),
                    load.units() + " x " + load.unit(),
                    load.sizedBy(),
                    load.bytes() == 0 ? "-" : amount(load.bytes(), "B"),
                    amount(load.played(), ""),
                    amount(load.formula(), ""),
                    percent(load.hottest()),
                    percent(load.hotKey()),
                    load.risk(),
                    load.basis());
        }
        table.print(out);
    }

    private void printJson(Simulation simulation, PrintWriter out) {
        RecordCounts records = simulation.population();
        for (EngineResult load : simulation.loads()) {
            out.println(new JsonLine()
                    .with("engine", load.engine())
                    .with("unit", load.unit())
                    .with("units", load.units())
                    .with("sizedBy", load.sizedBy())
                    .with("records", Math.round(records.played()))
                    .with("bytes", Math.round(load.bytes()))
                    .with("workPerSecond", Math.round(load.played()))
                    .with("workPerSecondByFormula", Math.round(load.formula()))
                    .with("hottestUnit", rounded(load.hottest()))
                    .with("hotKey", rounded(load.hotKey()))
                    .with("risk", load.risk())
                    .with("basis", load.basis()));
        }
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static double rounded(double share) {
        return Math.round(share * 1000) / 1000.0;
    }

    /** A number with three digits, a prefix of the SI, and a unit. */
    private static String amount(double number, String unit) {
        String[] prefixes = {"", "k", "M", "G", "T", "P"};
        int prefix = 0;
        double left = number;
        while (left >= 999.5 && prefix < prefixes.length - 1) {
            left /= 1000;
            prefix++;
        }
        String digits =
                String.format(Locale.ROOT, left >= 99.5 || left == 0 ? "%.0f" : left >= 9.95 ? "%.1f" : "%.2f", left);
        return (digits + " " + prefixes[prefix] + unit).strip();
    }
}
