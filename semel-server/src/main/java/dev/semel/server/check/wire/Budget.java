package dev.semel.server.check.wire;

import java.time.Duration;

/** How many requests may be sent, and how fast. Every request takes from it before it is sent. */
public final class Budget {

    private final int limit;
    private final Duration interval;
    private final CheckTime time;
    private int used;
    private Duration next = Duration.ZERO;

    /** @param interval the shortest time from one request to the next; requests that are sent together count one by one */
    public Budget(int limit, Duration interval, CheckTime time) {
        this.limit = limit;
        this.interval = interval;
        this.time = time;
    }

    /**
     * Takes some requests, and waits until they may be sent.
     *
     * @throws BudgetSpentException when there are not as many left
     */
    public synchronized void take(int requests) {
        if (used + requests > limit) {
            throw new BudgetSpentException(limit);
        }
        used += requests;
        Duration now = time.now();
        if (next.compareTo(now) > 0) {
            time.pause(next.minus(now));
            now = next;
        }
        next = now.plus(interval.multipliedBy(requests));
    }

    public synchronized int used() {
        return used;
    }

    public int limit() {
        return limit;
    }
}
