package dev.semel.spi;

import java.time.Duration;

/** When the reconciler asks about an unknown outcome again. */
public sealed interface Reschedule {

    /** Ask again after this delay. Refused when another process has taken the record since this try. */
    record RetryAfter(int tries, Duration delay) implements Reschedule {}

    /** Ask no more: a person has to decide. Refused when another process has taken the record since this try. */
    record DeadLetter(int tries) implements Reschedule {}

    /** Start over: due at once, with no tries counted. */
    record Reset() implements Reschedule {}
}
