package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.engine.SemelEngine;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the code of docs/reference/observability.md")
class PageTest extends Fixture {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static String dense(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void compiles() throws IOException {
        String compiled =
                dense(Files.readString(Path.of("src/test/java/dev/semel/observability/ObservabilityPage.java")));
        List<String> snippets = SNIPPET.matcher(Files.readString(Path.of("../docs/reference/observability.md")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(snippets)
                .hasSize(4)
                .allSatisfy(snippet -> assertThat(compiled).contains(dense(snippet)));
    }

    @Test
    void does_what_the_page_says() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ObservabilityPage.percentiles(registry);
        execute(ObservabilityPage.metrics(store, registry), "a");
        assertThat(registry.scrape()).contains("api_idempotency_claim_seconds_bucket");

        execute(ObservabilityPage.tracing(store, OpenTelemetry.noop()), "b");

        List<String> reports = new ArrayList<>();
        SemelEngine alarmed = ObservabilityPage.misuse(store, reports::add);
        alarmed.execute(intent(CHARGE, "mallory", "k", "100 EUR"), Codec.text(), attempt -> "charged");
        for (int i = 0; i < 40; i++) {
            alarmed.begin(misuse("mallory"));
        }
        assertThat(reports).containsExactly("21 misused keys of charge by mallory");
    }
}
