package dev.semel.torture;

import dev.semel.torture.history.CheckResult;
import dev.semel.torture.history.Coverage;
import dev.semel.torture.history.Violation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a person reads at the end of a run. */
final class Report {

    /** One history explains a mistake; more of the same do not. */
    private static final int MOST_HISTORIES = 2;

    private Report() {}

    /** Prints the numbers, the violations and, last, the verdict. */
    static void print(CheckResult verdict, PrintWriter out) {
        print(verdict.coverage(), out);
        if (verdict instanceof CheckResult.Invalid invalid) {
            print(invalid.violations(), out);
            out.println("Verdict: INVALID: " + invalid.violations().get(0).headline());
        } else if (verdict instanceof CheckResult.Inconclusive inconclusive) {
            print(inconclusive.violations(), out);
            inconclusive.reasons().forEach(reason -> out.println("  " + reason));
            out.println("Verdict: INCONCLUSIVE: "
                    + (inconclusive.violations().isEmpty()
                            ? "nothing is broken, but too little happened to say so"
                            : "the run broke what the promises rest on"));
        } else {
            out.println("Verdict: VALID: no promise was broken");
        }
        out.flush();
    }

    /** The same as text. */
    static String of(CheckResult verdict) {
        StringWriter text = new StringWriter();
        print(verdict, new PrintWriter(text));
        return text.toString();
    }

    private static void print(Coverage coverage, PrintWriter out) {
        row(out, "keys", coverage.keys());
        row(out, "requests, each repeated until answered", coverage.requests());
        row(out, "  that got a final answer", coverage.succeeded());
        row(out, "charges in the provider's ledger", coverage.charges());
        row(out, "faults", coverage.faults());
        row(out, "  keys that were hit in flight", coverage.keysFaulted());
        row(out, "attempts that went on after they were given up", coverage.lateWakeUps());
        row(out, "unknown outcomes found to have happened", coverage.unknownHappened());
        row(out, "unknown outcomes found not to have happened", coverage.unknownNotHappened());
        if (coverage.lateKeys() > 0) {
            row(out, "keys that were retried after their retention", coverage.lateKeys());
            row(out, "  retries after the retention", coverage.lateRetries());
            row(out, "  requests that were refused as late", coverage.lateRefusals());
        }
    }

    private static void row(PrintWriter out, String what, int count) {
        out.printf("  %-50s %7d%n", what, count);
    }

    private static void print(List<Violation> violations, PrintWriter out) {
        violations.stream().limit(MOST_HISTORIES).forEach(violation -> out.println(violation + System.lineSeparator()));
        Map<String, Integer> counts = new LinkedHashMap<>();
        violations.forEach(violation -> counts.merge(violation.invariant(), 1, Integer::sum));
        counts.forEach((invariant, count) -> row(out, "findings against " + invariant, count));
    }
}
