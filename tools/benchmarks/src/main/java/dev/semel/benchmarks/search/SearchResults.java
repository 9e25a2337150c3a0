package dev.semel.benchmarks.search;

import dev.semel.benchmarks.load.ContestReport;
import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.report.Target;
import dev.semel.benchmarks.search.IndexCost.Cost;
import dev.semel.benchmarks.search.PageTimes.PageOf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what searches took and what their index cost into a report. */
final class SearchResults {

    private static final double SLOWEST_PAGE_MILLIS = 200;
    private static final double MOST_PROCESSOR_TIME = 1.05;
    private static final double FEWEST_PAIRS = 0.95;

    private final int records;
    private List<PageOf> pages = List.of();
    private @Nullable Cost cost;

    SearchResults(int records) {
        this.records = records;
    }

    void pages(List<PageOf> measured) {
        pages = measured;
    }

    void cost(Cost measured) {
        cost = measured;
    }

    Report report() {
        List<Table> tables = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        if (!pages.isEmpty()) {
            tables.add(pageTable());
            charts.add(pageChart());
            pages.forEach(page -> addSamples(page, samples));
            notes.add("A page has 50 records; the later page is the sixth, or the last where there are fewer."
                    + " Records examined are those of the page's search; a search stops at 10,000.");
        }
        if (cost != null) {
            tables.add(ContestReport.throughput(cost.contest()));
            tables.add(processorTable(cost));
            charts.add(ContestReport.throughputChart(cost.contest(), "pairs/s", Set.of(IndexCost.WITH)));
            samples.addAll(ContestReport.samples(cost.contest()));
            addSamples(cost, samples);
            notes.add("Processor time is that of this process"
                    + (cost.server()
                            ? " and of the server's processes."
                            : ", in which SQLite runs; of a server on" + " another machine it has nothing."));
        }
        return new Report("search", tables, targets(), charts, samples, notes);
    }

    private List<Target> targets() {
        Spread slowest = pages.stream()
                .filter(PageOf::first)
                .map(PageOf::spread)
                .max(Comparator.comparingDouble(Spread::median))
                .orElse(null);
        return List.of(
                Target.atMost(SLOWEST_PAGE_MILLIS, "milliseconds of the slowest first page", slowest),
                Target.atMost(
                        MOST_PROCESSOR_TIME,
                        "processor time of a pair with the index / without it",
                        cost == null ? null : Spread.of(cost.processorRatios())),
                Target.atLeast(
                        FEWEST_PAIRS,
                        "pairs per second with the index / without it",
                        cost == null ? null : cost.contest().ratio(IndexCost.WITH, IndexCost.WITHOUT)));
    }

    private static String title(PageOf page) {
        return page.view() + (page.first() ? "" : ", later page");
    }

    private Table pageTable() {
        List<List<String>> rows = new ArrayList<>();
        for (PageOf page : pages) {
            Spread millis = page.spread();
            rows.add(List.of(
                    title(page),
                    Figures.ratio(millis.median()),
                    Figures.ratio(millis.greatest()),
                    Figures.count(page.answer().records().size()),
                    Figures.count(page.answer().examined()),
                    page.answer().complete() ? "yes" : "no"));
        }
        return new Table(
                "pages of searches among " + Figures.count(records) + " records",
                List.of("", "median ms", "longest ms", "found", "examined", "complete"),
                rows);
    }

    private Chart pageChart() {
        List<Chart.Bar> bars = new ArrayList<>();
        pages.stream()
                .filter(PageOf::first)
                .forEach(page -> bars.add(new Chart.Bar(
                        page.view(),
                        page.spread(),
                        true,
                        Figures.ratio(page.spread().median()))));
        return new Chart("first pages among " + Figures.count(records) + " records", "ms", bars);
    }

    private static void addSamples(PageOf page, List<Sample> samples) {
        for (int round = 0; round < page.millis().size(); round++) {
            samples.add(new Sample(
                    "pages", title(page), round + 1, "time", page.millis().get(round), "ms"));
        }
        samples.add(
                new Sample("pages", title(page), 1, "examined", page.answer().examined(), "records"));
    }

    private static Table processorTable(Cost cost) {
        Spread with = Spread.of(cost.processor().get(0));
        Spread without = Spread.of(cost.processor().get(1));
        Spread ratio = Spread.of(cost.processorRatios());
        return new Table(
                "processor time of a pair",
                List.of("", "µs", "of the rounds", "× " + IndexCost.WITHOUT, "95 % sure", "of the rounds"),
                List.of(
                        List.of(
                                IndexCost.WITH,
                                Figures.count(with.median()),
                                Figures.countRange(with),
                                fine(ratio.median()),
                                fineRange(Spread.confidence(cost.processorRatios())),
                                Figures.range(ratio)),
                        List.of(
                                IndexCost.WITHOUT,
                                Figures.count(without.median()),
                                Figures.countRange(without),
                                "1",
                                "",
                                "")));
    }

    private static String fine(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String fineRange(Spread spread) {
        return fine(spread.least()) + "–" + fine(spread.greatest());
    }

    private static void addSamples(Cost cost, List<Sample> samples) {
        List<String> names = List.of(IndexCost.WITH, IndexCost.WITHOUT);
        for (int side = 0; side < names.size(); side++) {
            List<Double> micros = cost.processor().get(side);
            for (int round = 0; round < micros.size(); round++) {
                samples.add(new Sample(
                        cost.contest().title(), names.get(side), round + 1, "processor time", micros.get(round), "µs"));
            }
        }
    }
}
