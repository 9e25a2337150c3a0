package dev.semel.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.benchmarks.database.OpenDatabases;
import dev.semel.benchmarks.database.Place;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Progress;
import dev.semel.benchmarks.suite.Settings;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP suite")
@Timeout(300)
class HttpSuiteTest {

    private static Report run(String store, String... parts) throws Exception {
        Settings settings = new Settings(Duration.ofMillis(50), 2, List.of(2), List.of());
        Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false);
        try (Place place = OpenDatabases.parse(store, 0).open()) {
            return new HttpSuite().run(new BenchContext(settings, place, progress, Set.of(parts)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "redis", "postgresql"})
    void measures_every_side_in_every_round(String store) throws Exception {
        Report report = run(store, "new", "latency");
        List<String> sides = new ArrayList<>(List.of(Sides.NONE, Sides.MEMORY, Sides.HAND_WRITTEN));
        if (!store.equals("sqlite")) {
            sides.add(Sides.LIBRARY);
        }
        sides.addAll(List.of(Sides.SEMEL, Sides.NEAR_CACHE, Sides.GATEWAY));

        assertThat(report.tables())
                .hasSize(2)
                .allSatisfy(table ->
                        assertThat(table.rows()).extracting(row -> row.get(0)).containsExactlyElementsOf(sides));
        for (String side : sides) {
            assertThat(report.samples())
                    .filteredOn(sample ->
                            sample.contender().equals(side) && sample.metric().equals("calls"))
                    .hasSize(4)
                    .extracting(Sample::value)
                    .allSatisfy(value -> assertThat(value).isPositive());
        }
    }

    @Test
    void replays_and_duplicates_are_answered_by_every_side() throws Exception {
        Report report = run("sqlite", "replays", "duplicates");

        assertThat(report.tables())
                .extracting(table -> table.title())
                .containsExactly("replays, 2 connections", "10 % duplicates, 2 connections");
    }

    @ParameterizedTest
    @EnumSource(Protection.Kind.class)
    void a_protection_survives_its_line(Protection.Kind kind) {
        Protection protection = new Protection(kind, "sqlite:/with a space/semel.db", 8080);

        assertThat(Protection.ofLine(protection.toLine())).isEqualTo(protection);
    }

    @Test
    void every_tenth_request_is_a_duplicate() {
        List<Long> keys =
                LongStream.range(0, 20).map(Traffic.DUPLICATES::key).boxed().toList();

        assertThat(keys).startsWith(0L, 1L).contains(8L).doesNotContain(9L, 19L);
        assertThat(Set.copyOf(keys)).hasSize(18);
    }
}
