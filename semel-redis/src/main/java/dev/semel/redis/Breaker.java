package dev.semel.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Leaves alone what fails: after a few faults in a row nobody asks for a while, then one caller at a time finds out whether it
 * is well again.
 */
final class Breaker {

    /** One fault is an accident; this many are a state, and have cost no more than this many timeouts. */
    private static final int FAULTS = 3;

    /** To ask once a second costs nothing, and a mended server is back in use within it. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private volatile int faults;
    private volatile long nextNanos;

    Breaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether all is well: nobody has to be careful. */
    boolean isClosed() {
        return faults < FAULTS;
    }

    /** Whether this caller may ask. It says afterwards how that went. */
    boolean lets() {
        return isClosed() || isTurn();
    }

    private synchronized boolean isTurn() {
        long now = nanos.getAsLong();
        if (now - nextNanos < 0) {
            return false;
        }
        nextNanos = now + PAUSE.toNanos();
        return true;
    }

    /** There was an answer. Returns whether there had been none for long enough to be left alone. */
    boolean good() {
        return faults > 0 && reset();
    }

    private synchronized boolean reset() {
        boolean opened = !isClosed();
        faults = 0;
        return opened;
    }

    /** There was none. Returns whether from now on it is left alone. */
    synchronized boolean fault() {
        if (!isClosed()) {
            return false;
        }
        if (faults + 1 == FAULTS) {
            nextNanos = nanos.getAsLong() + PAUSE.toNanos();
        }
        faults = faults + 1;
        return !isClosed();
    }
}
