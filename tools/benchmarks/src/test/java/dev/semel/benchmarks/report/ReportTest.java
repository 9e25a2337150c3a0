package dev.semel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A report")
class ReportTest {

    private static Report report(List<Target> targets, List<Sample> samples) {
        Table table =
                new Table("pairs", List.of("", "per second"), List.of(List.of("semel", "12,345"), List.of("b", "7")));
        return new Report(
                "store",
                List.of(table),
                targets,
                List.of(),
                samples,
                List.of("word ".repeat(60).strip()));
    }

    @Test
    void sets_numbers_to_the_right_and_wraps_notes() {
        assertThat(TextReport.of(report(List.of(), List.of())).lines())
                .startsWith("pairs", "         per second", "  semel      12,345", "  b               7")
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    }

    @Test
    void says_which_targets_were_met_missed_and_not_measured() {
        Spread measured = new Spread(4.4, 4.0, 5.0);

        assertThat(Target.atLeast(4.5, "a", measured).verdict()).isEqualTo("missed");
        assertThat(Target.atLeast(4.4, "a", measured).verdict()).isEqualTo("met");
        assertThat(Target.atMost(4.3, "a", measured).verdict()).isEqualTo("missed");
        assertThat(Target.atMost(4.4, "a", measured).verdict()).isEqualTo("met");
        assertThat(Target.atMost(4.4, "a", null).verdict()).isEqualTo("not measured");
        assertThat(TextReport.of(report(List.of(Target.atLeast(4.5, "speed", measured)), List.of())))
                .contains("≥ 4.50      4.40      4.00–5.00  missed");
    }

    @Test
    void quotes_what_csv_would_misread() {
        Sample sample = new Sample("pairs, 2 \"callers\"", "semel", 1, "calls", 1234.5678, "1/s");

        assertThat(CsvReport.of(report(List.of(), List.of(sample))))
                .endsWith("store,\"pairs, 2 \"\"callers\"\"\",semel,1,calls,1234.568,1/s\r\n");
    }

    @Test
    void draws_charts_that_are_well_formed_whatever_they_say() throws Exception {
        Chart chart = new Chart(
                "a < b & \"c\"",
                "pairs/s",
                List.of(
                        new Chart.Bar("zero", new Spread(0, 0, 0), true, "0"),
                        new Chart.Bar("<some>", new Spread(5, 4, 9), false, "5 & more")));
        String svg = SvgReport.of("heading > all", "detail ".repeat(60), List.of(chart));

        var picture = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(picture.getDocumentElement().getTextContent()).contains("a < b & \"c\"", "<some>", "5 & more");
    }

    @Test
    void takes_the_middle_of_its_rounds() {
        assertThat(Spread.of(List.of(5.0, 1.0, 3.0))).isEqualTo(new Spread(3, 1, 5));
        assertThat(Spread.of(List.of(4.0, 1.0))).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void says_between_which_rounds_the_median_lies() {
        List<Double> rounds =
                IntStream.rangeClosed(1, 100).mapToObj(round -> (double) round).toList();
        assertThat(Spread.confidence(rounds)).isEqualTo(new Spread(50.5, 40, 61));
        assertThat(Spread.confidence(List.of(2.0))).isEqualTo(new Spread(2, 2, 2));
    }

    @Test
    void writes_numbers_as_people_read_them() {
        assertThat(Figures.count(12345.6)).isEqualTo("12,346");
        assertThat(Figures.ratio(1.234)).isEqualTo("1.23");
        assertThat(Figures.ratio(12.34)).isEqualTo("12.3");
        assertThat(Figures.ratio(123.4)).isEqualTo("123");
        assertThat(Figures.micros(950)).isEqualTo("950 µs");
        assertThat(Figures.micros(1_250)).isEqualTo("1.3 ms");
        assertThat(Figures.micros(12_345)).isEqualTo("12 ms");
    }
}
