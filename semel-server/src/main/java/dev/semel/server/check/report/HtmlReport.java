package dev.semel.server.check.report;

import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The report as one HTML page without scripts and without anything to load. */
public final class HtmlReport {

    private HtmlReport() {}

    public static String of(RunResult run) {
        StringBuilder body = new StringBuilder();
        run.targets().forEach(target -> body.append(target(target)));
        return template()
                .replace(
                        "[[VERDICT_CLASS]]", List.of("ok", "bad", "", "unclear").get(run.exitCode()))
                .replace("[[VERDICT]]", verdict(run))
                .replace(
                        "[[FACTS]]",
                        String.format(
                                Locale.ROOT,
                                "%d requests in %.1f s · seed %d · exit code %d",
                                run.requests(),
                                run.elapsed().toMillis() / 1000.0,
                                run.settings().seed(),
                                run.exitCode()))
                .replace("[[BODY]]", body);
    }

    private static String template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String verdict(RunResult run) {
        return switch (run.exitCode()) {
            case RunResult.OK -> "Safe to retry, as far as this saw";
            case RunResult.BROKEN -> "Not safe to retry";
            default -> "It could not be told whether retries are safe";
        };
    }

    private static String target(TargetResult target) {
        StringBuilder html = new StringBuilder("<section><h2>")
                .append(Xml.escaped(target.target().name()))
                .append("</h2>\n");
        html.append("<p class=\"facts\"><code>")
                .append(Xml.escaped(target.target().url()))
                .append("</code><br>");
        html.append(Xml.escaped(
                        target.effects() == null
                                ? "Effects were not counted: answers only."
                                : "Effects: " + target.effects()))
                .append("</p>\n");
        if (target.obstacle() != null) {
            return html.append("<p class=\"obstacle\">Nothing could be tested: ")
                    .append(Xml.escaped(target.obstacle()))
                    .append("</p></section>\n")
                    .toString();
        }
        html.append("<p class=\"counts\">").append(count("holds", target.count(Outcome.Holds.class), "hold"));
        html.append(count("broken", target.count(Outcome.Broken.class), "broken"));
        html.append(count("unclear", target.count(Outcome.CouldNotTell.class), "could not tell"));
        html.append(count("skipped", target.count(Outcome.Skipped.class), "not tried"))
                .append("</p>\n");
        for (Level level : Level.values()) {
            html.append(table(target, level));
        }
        return html.append("</section>\n").toString();
    }

    private static String count(String style, long number, String word) {
        return "<span class=\"" + style + "\"><b>" + number + "</b> " + word + "</span> ";
    }

    private static String table(TargetResult target, Level level) {
        if (target.of(level).isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<table><caption>" + level + "</caption>\n");
        target.of(level).forEach(result -> html.append(row(target, result)));
        return html.append("</table>\n").toString();
    }

    private static String row(TargetResult target, RuleResult result) {
        Outcome outcome = result.outcome();
        String style = outcome instanceof Outcome.CouldNotTell
                ? "unclear"
                : outcome instanceof Outcome.Skipped ? "skipped" : outcome.word();
        StringBuilder html = new StringBuilder("<tr class=\"" + style + "\"><th scope=\"row\">");
        html.append("<span class=\"badge\">").append(outcome.word()).append("</span></th><td><b>");
        html.append(Xml.escaped(result.rule().title()))
                .append("</b> <code>")
                .append(result.rule().id())
                .append("</code>");
        html.append("<p>").append(Xml.escaped(outcome.detail()));
        if (outcome instanceof Outcome.Holds holds && holds.answersOnly()) {
            html.append(" (answers only)");
        }
        html.append(" <a href=\"")
                .append(Xml.escaped(result.rule().source().link()))
                .append("\">");
        html.append(Xml.escaped(result.rule().source().text())).append("</a></p>");
        if (outcome instanceof Outcome.Broken broken) {
            html.append("<pre>")
                    .append(Xml.escaped(String.join("\n", CurlText.of(broken.reproduction(), target.countCommand()))))
                    .append("</pre>");
        }
        return html.append("</td></tr>\n").toString();
    }
}
