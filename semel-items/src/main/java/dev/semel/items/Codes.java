package dev.semel.items;

import dev.semel.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The numbers that stand for states and for moments in what is stored. */
public final class Codes {

    private static final State[] STATES = {
        State.IN_PROGRESS, State.COMPLETED, State.FAILED_RETRYABLE, State.UNKNOWN, State.EXPIRED
    };

    private static final long NANOS_BELOW_A_MICROSECOND = 999;

    private Codes() {}

    /** 1 in progress, 2 completed, 3 failed retryably, 4 unknown, 5 expired. */
    public static int code(State state) {
        return switch (state) {
            case IN_PROGRESS -> 1;
            case COMPLETED -> 2;
            case FAILED_RETRYABLE -> 3;
            case UNKNOWN -> 4;
            case EXPIRED -> 5;
        };
    }

    /** The state with this code. */
    public static State state(int code) {
        return STATES[code - 1];
    }

    /** Microseconds since 1970. */
    public static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    /** Microseconds since 1970, rounded up, so that no lease and no retention ends early. */
    public static long microsUp(Instant instant) {
        return micros(instant.plusNanos(NANOS_BELOW_A_MICROSECOND));
    }

    /** The moment so many microseconds after 1970. */
    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
