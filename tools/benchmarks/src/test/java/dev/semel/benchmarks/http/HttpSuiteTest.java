package dev.semel.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The HTTP suite")
class HttpSuiteTest {

    @Test
    void measures_each_side_once_a_round() {
        HttpOptions options =
                new HttpOptions(2, 1024, Duration.ofMillis(100), Duration.ofMillis(100), 2, true, Map.of());
        List<String> progress = new ArrayList<>();

        List<HttpRow> rows = HttpSuite.run(options, progress::add);

        assertThat(rows).extracting(HttpRow::side).containsExactly(HttpRow.OFF, "memory", "sqlite");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.requestsPerSecond())
                    .hasSize(2)
                    .allSatisfy(figure -> assertThat(figure).isPositive());
            assertThat(row.serverMicros()).hasSize(2);
        });
        assertThat(progress).filteredOn(line -> line.contains("round 2 of 2")).hasSize(3);
    }

    @Test
    void needs_a_connection_and_a_round() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpOptions(0, 1024, Duration.ZERO, Duration.ZERO, 1, false, Map.of()))
                .withMessageContaining("at least one connection");
    }
}
