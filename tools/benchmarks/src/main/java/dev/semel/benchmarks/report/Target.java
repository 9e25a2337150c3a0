package dev.semel.benchmarks.report;

import org.jspecify.annotations.Nullable;

/**
 * A figure that was aimed at.
 *
 * @param what is compared with what
 * @param measured null if this run did not measure it
 */
public record Target(
        String what, Bound bound, double wanted, @Nullable Spread measured) {

    /** Which side of the figure is the right one. */
    public enum Bound {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        public String sign() {
            return sign;
        }
    }

    public static Target atLeast(double wanted, String what, @Nullable Spread measured) {
        return new Target(what, Bound.AT_LEAST, wanted, measured);
    }

    public static Target atMost(double wanted, String what, @Nullable Spread measured) {
        return new Target(what, Bound.AT_MOST, wanted, measured);
    }

    /** Judged by the median. */
    public String verdict() {
        if (measured == null) {
            return "not measured";
        }
        boolean met = bound == Bound.AT_LEAST ? measured.median() >= wanted : measured.median() <= wanted;
        return met ? "met" : "missed";
    }
}
