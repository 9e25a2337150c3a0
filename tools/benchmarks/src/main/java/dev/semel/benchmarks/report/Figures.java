package dev.semel.benchmarks.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {

    private Figures() {}

    /** Without decimals, with commas: 12,345. */
    public static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    /** A comparison: two decimals, fewer for large ones. */
    public static String ratio(double value) {
        return value >= 100 ? count(value) : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Microseconds, or milliseconds where those are shorter to write. */
    public static String micros(double value) {
        if (value >= 10_000) {
            return String.format(Locale.ROOT, "%,.0f ms", value / 1e3);
        }
        return value >= 1_000
                ? String.format(Locale.ROOT, "%.1f ms", value / 1e3)
                : String.format(Locale.ROOT, "%.0f µs", value);
    }

    /** Microseconds, or nanoseconds where those are easier to read. */
    public static String nanos(double micros) {
        return micros < 10 ? count(micros * 1e3) + " ns" : micros(micros);
    }

    /** The least and the greatest value of a comparison. */
    public static String range(Spread spread) {
        return ratio(spread.least()) + "–" + ratio(spread.greatest());
    }

    /** The least and the greatest value of a count. */
    public static String countRange(Spread spread) {
        return count(spread.least()) + "–" + count(spread.greatest());
    }
}
