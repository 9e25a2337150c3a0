package dev.semel.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Microseconds: the unit in which durations are sent to a database, and the finest that its clock holds. */
public final class Micros {

    private Micros() {}

    /**
     * A duration in microseconds.
     *
     * @throws IllegalArgumentException when it is negative or longer than any database's calendar
     */
    public static long of(Duration duration) {
        require(duration);
        return TimeUnit.MICROSECONDS.convert(duration);
    }

    /**
     * Checks a duration.
     *
     * @throws IllegalArgumentException when it is negative or longer than any database's calendar
     */
    public static void require(Duration duration) {
        if (duration.isNegative() || duration.toDays() > 365_000) {
            throw new IllegalArgumentException("a duration of " + duration + ": give one between zero and 1000 years");
        }
    }

    public static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
