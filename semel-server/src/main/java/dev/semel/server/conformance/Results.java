package dev.semel.server.conformance;

import dev.semel.server.check.json.Json;
import dev.semel.server.conformance.ScenarioRun.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The verdicts on all scenarios. */
public final class Results {

    private static final int NOT_ALL_RUN = 3;

    private final List<Verdict> verdicts;

    Results(List<Verdict> verdicts) {
        this.verdicts = List.copyOf(verdicts);
    }

    /** 0 when the client conforms, 1 when it does not, 3 when a scenario was not run. */
    public int exitCode() {
        if (count("failed") > 0) {
            return 1;
        }
        return count("not_run") > 0 ? NOT_ALL_RUN : 0;
    }

    private long count(String word) {
        return verdicts.stream().filter(verdict -> verdict.word().equals(word)).count();
    }

    /** The names of the scenarios with this verdict: passed, failed, advised (recommended, but not done) or not_run. */
    public List<String> named(String word) {
        return verdicts.stream()
                .filter(verdict -> verdict.word().equals(word))
                .map(verdict -> verdict.scenario().name())
                .toList();
    }

    public String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("conforms", exitCode() == 0);
        for (String word : List.of("passed", "failed", "advised", "not_run")) {
            json.put(word, count(word));
        }
        json.put("scenarios", verdicts.stream().map(Results::json).toList());
        return Json.write(json) + "\n";
    }

    private static Map<String, Object> json(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", verdict.scenario().name());
        json.put("title", verdict.scenario().title());
        json.put("verdict", verdict.word());
        json.put("requests", verdict.requests());
        json.put("executions", verdict.executions());
        json.put("violations", verdict.violations());
        return json;
    }

    /** A line for each scenario, below it what was wrong, and at the end the counts. */
    public String table() {
        StringBuilder table = new StringBuilder();
        for (Verdict verdict : verdicts) {
            table.append(String.format(
                    "%-8s %-32s %s%n",
                    verdict.word(),
                    verdict.scenario().name(),
                    verdict.scenario().title()));
            verdict.violations()
                    .forEach(violation -> table.append(String.format("         %-32s %s%n", "", "- " + violation)));
        }
        return table.append(String.format(
                        "%d passed, %d failed, %d advised, %d not run%n",
                        count("passed"), count("failed"), count("advised"), count("not_run")))
                .toString();
    }
}
