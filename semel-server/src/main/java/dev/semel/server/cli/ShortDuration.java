package dev.semel.server.cli;

import java.time.Duration;

/** Formats a duration with its two largest units, such as {@code 2h 5m}. */
final class ShortDuration {

    private ShortDuration() {}

    static String text(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return twoOf(seconds / 60, "m", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return twoOf(seconds / 3600, "h", seconds % 3600 / 60, "m");
        }
        return twoOf(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    private static String twoOf(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : " " + small + smallUnit);
    }
}
