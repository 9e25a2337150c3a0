package dev.semel.server.check.report;

import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.json.Json;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.RuleInfo;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report as SARIF 2.1.0: each broken rule is a result, at the line of the operation where there is a file. */
public final class SarifReport {

    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private SarifReport() {}

    public static String of(RunResult run, String version) {
        List<RuleInfo> rules = Rules.all().stream().map(rule -> rule.info()).toList();
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "semel check");
        driver.put("version", version);
        driver.put("rules", rules.stream().map(SarifReport::rule).toList());
        List<Object> results = new ArrayList<>();
        for (TargetResult target : run.targets()) {
            target.broken().forEach(result -> results.add(result(target, result, rules.indexOf(result.rule()))));
        }
        Map<String, Object> sarif = new LinkedHashMap<>();
        sarif.put("$schema", SCHEMA);
        sarif.put("version", "2.1.0");
        sarif.put("runs", List.of(Map.of("tool", Map.of("driver", driver), "results", results)));
        return Json.write(sarif) + "\n";
    }

    private static Map<String, Object> rule(RuleInfo rule) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", rule.id());
        json.put("shortDescription", text(rule.title()));
        json.put("helpUri", rule.source().link());
        json.put("defaultConfiguration", Map.of("level", level(rule.level())));
        return json;
    }

    private static Map<String, Object> result(TargetResult target, RuleResult result, int index) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ruleId", result.rule().id());
        json.put("ruleIndex", index);
        json.put("level", level(result.rule().level()));
        String steps = result.outcome() instanceof Outcome.Broken broken
                ? String.join("\n", CurlText.of(broken.reproduction(), target.countCommand()))
                : "";
        json.put(
                "message",
                text(target.target().name() + ": " + result.rule().title() + ": broken. "
                        + result.outcome().detail() + "\n\n" + steps));
        json.put("locations", List.of(location(target.target())));
        json.put(
                "partialFingerprints",
                Map.of(
                        "operationAndRule/v1",
                        target.target().name() + "|" + result.rule().id()));
        return json;
    }

    private static Map<String, Object> location(Target target) {
        Map<String, Object> location = new LinkedHashMap<>();
        Target.Place place = target.place();
        if (place != null) {
            location.put(
                    "physicalLocation",
                    Map.of(
                            "artifactLocation",
                            Map.of("uri", place.file().replace('\\', '/').replace(" ", "%20")),
                            "region",
                            Map.of("startLine", place.line())));
        }
        location.put("logicalLocations", List.of(Map.of("fullyQualifiedName", target.name(), "kind", "function")));
        return location;
    }

    private static Map<String, Object> text(String text) {
        return Map.of("text", text);
    }

    private static String level(Level level) {
        return switch (level) {
            case MUST -> "error";
            case SHOULD -> "warning";
            case INFO -> "note";
        };
    }
}
