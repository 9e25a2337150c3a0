package dev.semel.server.cli;

import dev.semel.admin.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints figures of a store, and with --server those of the process that its console runs in. */
@Command(
        name = "stats",
        description = "Prints how many records run, are unknown and are dead-lettered; with --server also the rates and"
                + " latencies of that process. Exits with 1 when the store is down, with 5 when there are dead letters and"
                + " --fail-if-dead is given.")
final class StatsCommand implements Callable<Integer> {

    private static final int DEAD_LETTERS = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AdminTarget target = new AdminTarget();

    @Option(names = "--watch", description = "Print a line every second until the command is stopped.")
    private boolean watch;

    @Option(names = "--json", description = "Print JSON, one object per line.")
    private boolean json;

    @Option(names = "--fail-if-dead", description = "Exit with 5 when there are dead letters.")
    private boolean failIfDead;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch never = new CountDownLatch(1);
        try (AdminClient client = target.open()) {
            JsonObject figures = show(client, out);
            while (watch && !never.await(1, TimeUnit.SECONDS)) {
                figures = show(client, out);
            }
            return exitCode(figures);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        }
    }

    private int exitCode(JsonObject figures) {
        if ("down".equals(figures.text("store", 10))) {
            return ExitCode.SOFTWARE;
        }
        Long dead = figures.number("deadLetters", 0, Long.MAX_VALUE);
        return failIfDead && dead != null && dead > 0 ? DEAD_LETTERS : ExitCode.OK;
    }

    private JsonObject show(AdminClient client, PrintWriter out) {
        String text = client.get("/figures");
        JsonObject figures = AdminClient.read(text);
        if (json) {
            out.println(text);
        } else if (watch) {
            out.println(line(figures));
        } else {
            print(out, figures);
        }
        out.flush();
        return figures;
    }

    private static String line(JsonObject figures) {
        JsonObject rates = figures.object("rates");
        return "in progress " + count(figures, "inProgress") + ", unknown " + count(figures, "unknown") + ", dead "
                + count(figures, "deadLetters")
                + (rates == null
                        ? ""
                        : ", created " + rates.decimal("created") + "/s, replayed " + rates.decimal("replay") + "/s");
    }

    private static void print(PrintWriter out, JsonObject figures) {
        row(out, "store", figures.text("store", 10));
        row(out, "problem", figures.text("storeProblem", 100_000));
        row(out, "in progress", count(figures, "inProgress"));
        row(out, "unknown", count(figures, "unknown"));
        row(out, "dead letters", count(figures, "deadLetters"));
        Long oldest = figures.number("oldestUnknownMs", 0, Long.MAX_VALUE);
        row(out, "oldest unknown", oldest == null ? null : ShortDuration.text(Duration.ofMillis(oldest)));
        JsonObject rates = figures.object("rates");
        if (rates != null) {
            rates.names().forEach(name -> row(out, name + "/s", String.valueOf(rates.decimal(name))));
        }
        latencies(out, "claim", figures.object("claimMs"));
        latencies(out, "settle", figures.object("settleMs"));
    }

    private static void latencies(PrintWriter out, String name, @Nullable JsonObject millis) {
        if (millis != null) {
            row(out, name, "p50 " + millis.decimal("p50") + " ms, p99 " + millis.decimal("p99") + " ms");
        }
    }

    /** Counts stop at a limit, which a plus sign shows. */
    private static @Nullable String count(JsonObject figures, String name) {
        Long count = figures.number(name, 0, Long.MAX_VALUE);
        Long limit = figures.number("countsStopAt", 0, Long.MAX_VALUE);
        return count == null ? null : count.equals(limit) ? count + "+" : count.toString();
    }

    private static void row(PrintWriter out, String name, @Nullable String value) {
        if (value != null) {
            out.printf("%-16s %s%n", name, Printable.text(value));
        }
    }
}
