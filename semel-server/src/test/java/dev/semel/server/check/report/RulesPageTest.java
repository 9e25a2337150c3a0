package dev.semel.server.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.check.rules.Rule;
import dev.semel.server.check.rules.RuleInfo;
import dev.semel.server.check.rules.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page of rules")
class RulesPageTest {

    @Test
    void has_every_rule_with_its_level_and_source() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/reference/check-rules.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Rules.all().stream()
                        .map(Rule::info)
                        .map(RulesPageTest::row)
                        .toList());
    }

    private static String row(RuleInfo rule) {
        return "| `" + rule.id() + "` | " + rule.level() + " | " + rule.title() + " | ["
                + rule.source().text() + "](" + rule.source().link() + ") |";
    }

    @Test
    void counts_them_in_the_changelog() throws IOException {
        assertThat(Files.readString(Path.of("../CHANGELOG.md")))
                .contains("with " + Rules.all().size() + " rules");
    }
}
