package dev.semel.benchmarks.load;

import java.util.Collection;
import org.HdrHistogram.Histogram;

/**
 * What was measured in one slice.
 *
 * @param seconds from the first call's start to the last call's end
 * @param latency in nanoseconds
 */
public record Slice(long calls, double seconds, Histogram latency) {

    /** Rarely exceeded; the histogram grows if it is. */
    private static final long LONGEST_NANOS = 60_000_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long SHORTEST_NANOS = 1_000;

    static Histogram newHistogram() {
        Histogram histogram = new Histogram(SHORTEST_NANOS, LONGEST_NANOS, SIGNIFICANT_DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    static Slice of(Collection<Histogram> callers, long nanos) {
        Histogram all = newHistogram();
        callers.forEach(all::add);
        return new Slice(all.getTotalCount(), Math.max(nanos, 1) / 1e9, all);
    }

    public double perSecond() {
        return calls / seconds;
    }

    /** In microseconds. */
    public double percentileMicros(double percentile) {
        return latency.getValueAtPercentile(percentile) / 1e3;
    }
}
