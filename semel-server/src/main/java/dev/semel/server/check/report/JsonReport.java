package dev.semel.server.check.report;

import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.json.Json;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.subject.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report as JSON; {@code report.schema.json} describes it. */
public final class JsonReport {

    /** Raised when a member is removed or changes its meaning. */
    private static final int FORMAT = 1;

    private JsonReport() {}

    /** The JSON Schema of reports. */
    public static String schema() {
        try (InputStream in = JsonReport.class.getResourceAsStream("report.schema.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String of(RunResult run) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("format", FORMAT);
        report.put("exitCode", run.exitCode());
        report.put("seed", run.settings().seed());
        report.put("requests", run.requests());
        report.put("seconds", run.elapsed().toMillis() / 1000.0);
        report.put("operations", run.targets().stream().map(JsonReport::target).toList());
        return Json.write(report) + "\n";
    }

    private static Map<String, Object> target(TargetResult result) {
        Target target = result.target();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", target.name());
        json.put("method", target.method());
        json.put("url", target.url());
        if (target.place() != null) {
            json.put("file", target.place().file());
            json.put("line", target.place().line());
        }
        if (result.effects() != null) {
            json.put("effects", result.effects());
        }
        if (result.obstacle() != null) {
            json.put("obstacle", result.obstacle());
        }
        json.put(
                "rules",
                result.results().stream().map(each -> rule(result, each)).toList());
        return json;
    }

    private static Map<String, Object> rule(TargetResult target, RuleResult result) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", result.rule().id());
        json.put("level", result.rule().level().name());
        json.put("title", result.rule().title());
        json.put("source", result.rule().source().text());
        json.put("link", result.rule().source().link());
        json.put("verdict", result.outcome().word());
        json.put("detail", result.outcome().detail());
        if (result.outcome() instanceof Outcome.Holds holds) {
            json.put("answersOnly", holds.answersOnly());
        }
        if (result.outcome() instanceof Outcome.Broken broken) {
            List<String> lines = CurlText.of(broken.reproduction(), target.countCommand());
            json.put("reproduction", lines);
        }
        return json;
    }
}
