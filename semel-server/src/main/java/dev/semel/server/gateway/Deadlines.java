package dev.semel.server.gateway;

import dev.semel.server.gateway.config.LimitsConfig;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The deadlines of clients on one event loop.
 *
 * <p>Almost none is ever reached, so that to set one must cost next to nothing: it is a number, and one periodic task looks at
 * all. A deadline is reached up to a tick late.
 */
final class Deadlines {

    private static final long LONGEST_TICK_MILLIS = 1000;
    private static final long SHORTEST_TICK_MILLIS = 10;

    private final long tickMillis;
    private final List<Deadline> set = new ArrayList<>();
    private long now;

    /** Starts, on the event loop of the calling thread. */
    Deadlines(Vertx vertx, LimitsConfig limits) {
        long shortest = Stream.of(limits.idle(), limits.stalled())
                .mapToLong(Duration::toMillis)
                .min()
                .orElse(LONGEST_TICK_MILLIS);
        tickMillis = Math.max(SHORTEST_TICK_MILLIS, Math.min(LONGEST_TICK_MILLIS, shortest / 4));
        vertx.setPeriodic(tickMillis, tick -> look());
    }

    private void look() {
        now++;
        List<Deadline> reached = new ArrayList<>();
        for (Deadline each : set) {
            if (each.at <= now) {
                reached.add(each);
            }
        }
        for (Deadline each : reached) {
            if (each.isSet() && each.at <= now) {
                each.cancel();
                each.action.run();
            }
        }
    }

    /** A deadline that is not set. */
    Deadline of(Duration length, Runnable action) {
        return new Deadline(this, length.toMillis() / tickMillis + 1, action);
    }

    /** A moment by which a client must have done something. */
    static final class Deadline {

        private static final int NOT_SET = -1;

        private final Deadlines all;
        private final long ticks;
        private final Runnable action;
        private int index = NOT_SET;
        private long at;

        private Deadline(Deadlines all, long ticks, Runnable action) {
            this.all = all;
            this.ticks = ticks;
            this.action = action;
        }

        boolean isSet() {
            return index != NOT_SET;
        }

        /** Sets it anew, from now on. */
        void renew() {
            at = all.now + ticks;
            if (!isSet()) {
                index = all.set.size();
                all.set.add(this);
            }
        }

        void cancel() {
            if (isSet()) {
                Deadline last = all.set.remove(all.set.size() - 1);
                if (last != this) {
                    all.set.set(index, last);
                    last.index = index;
                }
                index = NOT_SET;
            }
        }
    }
}
