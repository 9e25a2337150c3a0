package dev.semel.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page of scenarios")
class ConformancePageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "client-conformance.md");

    @Test
    void has_every_scenario_with_what_the_client_must_do() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(ScenarioFile.scenarios().stream()
                        .map(ConformancePageTest::row)
                        .toList());
    }

    private static String row(Scenario scenario) {
        Scenario.Expected client = scenario.client();
        String more = client.mostRequests() > client.leastRequests() ? "+" : "";
        String ends = client.ends().stream().sorted().collect(Collectors.joining(" or "));
        String report = client.report().entrySet().stream()
                .filter(member -> !member.getValue().equals(false))
                .map(ConformancePageTest::said)
                .collect(Collectors.joining());
        return "| `" + scenario.name() + "` | " + scenario.title() + (scenario.recommended() ? " (advised)" : "")
                + " | " + client.leastRequests() + more + " | " + ends + report + " |";
    }

    private static String said(Map.Entry<String, Object> member) {
        return member.getValue().equals(true) ? ", `" + member.getKey() + "`" : " " + member.getValue();
    }
}
