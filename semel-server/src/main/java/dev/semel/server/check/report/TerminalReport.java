package dev.semel.server.check.report;

import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The report that people read in a terminal: a line for each rule, and how to reproduce what is broken. */
public final class TerminalReport {

    private final PrintWriter out;
    private final Paint paint;

    /** @param coloured whether escape sequences are written */
    public TerminalReport(PrintWriter out, boolean coloured) {
        this.out = out;
        this.paint = new Paint(coloured);
    }

    public void print(RunResult run) {
        run.targets().forEach(target -> printTarget(run, target));
        out.println(verdict(run));
        out.println(paint.grey(String.format(
                Locale.ROOT,
                "%d requests in %.1f s; --seed %d repeats this run",
                run.requests(),
                run.elapsed().toMillis() / 1000.0,
                run.settings().seed())));
        out.flush();
    }

    private void printTarget(RunResult run, TargetResult target) {
        out.println();
        out.println(paint.bold(target.target().name()) + "  "
                + paint.grey(target.target().url()));
        out.println(paint.grey(
                target.effects() == null ? "effects are not counted: answers only" : "effects: " + target.effects()));
        if (target.obstacle() != null) {
            out.println();
            out.println(paint.yellow("? nothing could be tested: ") + target.obstacle());
            out.println();
            return;
        }
        for (Level level : Level.values()) {
            List<RuleResult> results = target.of(level);
            if (!results.isEmpty()) {
                out.println();
                out.println(paint.bold(level.name()));
                results.forEach(this::printRule);
            }
        }
        out.println();
        target.broken().forEach(result -> printReproduction(run, target, result));
    }

    private void printRule(RuleResult result) {
        Outcome outcome = result.outcome();
        String id = String.format("%-25s", result.rule().id());
        if (outcome instanceof Outcome.Holds holds) {
            out.println(paint.green("  ✓ ")
                    + id
                    + result.rule().title()
                    + (holds.answersOnly() ? paint.grey(" (answers only)") : ""));
        } else if (outcome instanceof Outcome.Broken) {
            out.println(paint.red("  ✗ " + id) + result.rule().title());
            out.println("      " + paint.red(outcome.detail()));
        } else if (outcome instanceof Outcome.CouldNotTell) {
            out.println(paint.yellow("  ? ") + id + result.rule().title());
            out.println("      " + paint.yellow("could not tell: " + outcome.detail()));
        } else {
            out.println(paint.grey("  - " + id + "not tried: " + outcome.detail()));
        }
    }

    private void printReproduction(RunResult run, TargetResult target, RuleResult result) {
        if (!(result.outcome() instanceof Outcome.Broken broken)) {
            return;
        }
        String level = run.counts(result)
                ? paint.red(result.rule().level().name())
                : result.rule().level().name();
        out.println(paint.bold(result.rule().id()) + " (" + level + ", "
                + result.rule().source().text() + ")");
        CurlText.of(broken.reproduction(), target.countCommand())
                .forEach(line -> out.println("    " + (line.startsWith("#") ? paint.grey(line) : line)));
        out.println();
    }

    private String verdict(RunResult run) {
        long holds = total(run, Outcome.Holds.class);
        long broken = total(run, Outcome.Broken.class);
        long unclear = total(run, Outcome.CouldNotTell.class);
        long skipped = total(run, Outcome.Skipped.class);
        String counts =
                holds + " hold, " + broken + " broken, " + unclear + " could not tell, " + skipped + " not tried";
        return switch (run.exitCode()) {
            case RunResult.OK -> paint.green("Safe to retry, as far as this saw: ") + counts;
            case RunResult.BROKEN -> paint.red("Not safe to retry: ") + counts;
            default -> paint.yellow("It could not be told whether retries are safe: ") + counts;
        };
    }

    private static long total(RunResult run, Class<? extends Outcome> outcome) {
        return run.targets().stream().mapToLong(target -> target.count(outcome)).sum();
    }
}
