package dev.semel.benchmarks;

import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.http.HttpOptions;
import dev.semel.benchmarks.http.HttpRow;
import dev.semel.benchmarks.http.HttpSuite;
import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Settings;
import dev.semel.benchmarks.suite.Suite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The benchmark of the servlet filter as a suite. */
final class HttpBench implements Suite {

    /** A virtual machine with a server in it speeds up for about so many slices of the usual length. */
    private static final int WARM_UP_SLICES = 10;

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String description() {
        return "requests per second of an endpoint with the servlet filter off, and on over each store";
    }

    @Override
    public List<String> parts() {
        return List.of();
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        List<HttpRow> rows = HttpSuite.run(options(context), context.progress()::line);
        List<Double> off = rows.stream()
                .filter(row -> row.side().equals(HttpRow.OFF))
                .findFirst()
                .orElseThrow()
                .requestsPerSecond();
        List<List<String>> cells = new ArrayList<>();
        List<Chart.Bar> bars = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (HttpRow row : rows) {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < off.size(); round++) {
                double perSecond = row.requestsPerSecond().get(round);
                ratios.add(perSecond / off.get(round));
                samples.add(new Sample("http", "filter " + row.side(), round + 1, "requests", perSecond, "1/s"));
            }
            Spread perSecond = Spread.of(row.requestsPerSecond());
            Spread ratio = Spread.of(ratios);
            String name = "filter " + row.side();
            cells.add(List.of(
                    name,
                    Figures.count(perSecond.median()),
                    Figures.countRange(perSecond),
                    Figures.ratio(ratio.median()),
                    Figures.range(ratio)));
            bars.add(new Chart.Bar(
                    name,
                    perSecond,
                    !row.side().equals(HttpRow.OFF),
                    Figures.count(perSecond.median()) + "  (" + Figures.ratio(ratio.median()) + " ×)"));
        }
        Table table = new Table(
                "requests to one endpoint",
                List.of("", "per second", "of the rounds", "× filter off", "of the rounds"),
                cells);
        return new Report(
                "http",
                List.of(table),
                List.of(),
                List.of(new Chart("requests to one endpoint", "requests/s (× filter off)", bars)),
                samples,
                List.of());
    }

    private static HttpOptions options(BenchContext context) throws Exception {
        Settings settings = context.settings();
        HttpOptions standard = HttpOptions.standard();
        Dialect dialect = context.databases().dialect();
        Map<String, String> servers = dialect == Dialect.SQLITE
                ? Map.of()
                : Map.of(dialect.label(), context.databases().create("http").uriText());
        Duration warmUp = settings.slice().multipliedBy(WARM_UP_SLICES);
        return new HttpOptions(
                settings.callersOr(List.of(standard.connections())).get(0),
                standard.bodyBytes(),
                warmUp,
                settings.slice(),
                settings.rounds(),
                standard.sqlite(),
                servers);
    }
}
