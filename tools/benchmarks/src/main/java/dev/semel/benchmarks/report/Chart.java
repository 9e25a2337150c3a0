package dev.semel.benchmarks.report;

import java.util.List;

/** Bars to compare by eye. */
public record Chart(String title, String unit, List<Bar> bars) {

    public Chart {
        bars = List.copyOf(bars);
    }

    /**
     * One bar.
     *
     * @param spread its length is the median; the least and the greatest value are marked on it
     * @param own whether it stands for what is being measured, and not for what it is compared with
     * @param label what is written behind it
     */
    public record Bar(String name, Spread spread, boolean own, String label) {}
}
