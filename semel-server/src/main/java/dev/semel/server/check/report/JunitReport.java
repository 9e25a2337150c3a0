package dev.semel.server.check.report;

import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The report as JUnit's XML: an operation is a suite, a rule a test. Failures and errors are what makes the exit code 1 or 3; other
 * findings are skipped tests with their text.
 */
public final class JunitReport {

    private JunitReport() {}

    public static String of(RunResult run) {
        StringBuilder xml =
                new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"semel check\">\n");
        run.targets().forEach(target -> xml.append(suite(run, target)));
        return xml.append("</testsuites>\n").toString();
    }

    private static String suite(RunResult run, TargetResult target) {
        List<String> cases = new ArrayList<>();
        int[] counts = new int[3];
        if (target.obstacle() != null) {
            counts[1]++;
            cases.add(testCase(target, "a-request-is-accepted", "0.000", element("error", target.obstacle(), "")));
        }
        for (RuleResult result : target.results()) {
            String seconds = seconds(result.elapsed().toMillis());
            cases.add(testCase(target, result.rule().id(), seconds, content(run, target, result, counts)));
        }
        return String.format(
                Locale.ROOT,
                "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%s\">%n%s  </testsuite>%n",
                className(target),
                cases.size(),
                counts[0],
                counts[1],
                counts[2],
                seconds(target.results().stream()
                        .mapToLong(result -> result.elapsed().toMillis())
                        .sum()),
                String.join("", cases));
    }

    private static String content(RunResult run, TargetResult target, RuleResult result, int[] counts) {
        Outcome outcome = result.outcome();
        String about = result.rule().level() + ", " + result.rule().source().text() + ": "
                + result.rule().title() + "\n";
        if (outcome instanceof Outcome.Broken broken) {
            String text = about + outcome.detail() + "\n\n"
                    + String.join("\n", CurlText.of(broken.reproduction(), target.countCommand())) + "\n";
            boolean fails = run.counts(result);
            counts[fails ? 0 : 2]++;
            return fails
                    ? element("failure", outcome.detail(), text)
                    : element("skipped", "broken, " + result.rule().level() + ": " + outcome.detail(), "")
                            + "      <system-out>" + Xml.escaped(text) + "</system-out>\n";
        }
        if (outcome instanceof Outcome.Holds) {
            return "";
        }
        boolean error = outcome instanceof Outcome.CouldNotTell && result.rule().level() == Level.MUST;
        counts[error ? 1 : 2]++;
        return element(error ? "error" : "skipped", outcome.word() + ": " + outcome.detail(), "");
    }

    private static String element(String name, String message, String text) {
        String type = name.equals("skipped")
                ? ""
                : " type=\"" + (name.equals("failure") ? "broken" : "could not tell") + "\"";
        return "      <" + name + " message=\"" + Xml.escaped(message) + "\"" + type + ">" + Xml.escaped(text) + "</"
                + name + ">\n";
    }

    private static String testCase(TargetResult target, String name, String seconds, String content) {
        String start =
                "    <testcase name=\"" + name + "\" classname=\"" + className(target) + "\" time=\"" + seconds + "\"";
        return content.isEmpty() ? start + "/>\n" : start + ">\n" + content + "    </testcase>\n";
    }

    /** The name of the suite, too: Surefire takes the tests of a suite by it. */
    private static String className(TargetResult target) {
        return "semel.check." + target.target().name().replaceAll("[^A-Za-z0-9]+", "_");
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
    }
}
