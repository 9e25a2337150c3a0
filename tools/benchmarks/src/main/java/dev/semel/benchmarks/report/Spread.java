package dev.semel.benchmarks.report;

import java.util.Arrays;
import java.util.Collection;

/** A figure of several rounds: its median, its least and its greatest value. */
public record Spread(double median, double least, double greatest) {

    /** Of a normal distribution, 95 % lie within so many standard deviations. */
    private static final double NORMAL_95 = 1.96;

    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("there is no median of nothing");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * The median of rounds, between bounds: those of as many rounds again would have their median there 95 times in a hundred.
     * By the order of the values alone, so that single rounds which something else disturbed move them little.
     */
    public static Spread confidence(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double half = NORMAL_95 * Math.sqrt(sorted.length) / 2;
        int below = (int) Math.max(0, Math.floor(sorted.length / 2.0 - half) - 1);
        int above = (int) Math.min(sorted.length - 1, Math.ceil(sorted.length / 2.0 + half));
        return new Spread(of(values).median(), sorted[below], sorted[above]);
    }
}
