package dev.semel.admin;

import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Bounds how many clients read events. Transports ask for an event a second: a stream that is not asked any more is closed. */
final class OpenStreams {

    /** More than any team has browsers. */
    static final int MOST = 100;

    private static final long CLOSED_AFTER = Duration.ofSeconds(10).toNanos();

    private final AdminTime time;
    private final Map<Object, Long> askedNanos = new HashMap<>();

    OpenStreams(AdminTime time) {
        this.time = time;
    }

    /** @throws AdminProblem when there are as many as may be */
    Supplier<String> open(Supplier<String> events) {
        Object stream = new Object();
        add(stream);
        return () -> {
            String event = events.get();
            asked(stream);
            return event;
        };
    }

    private synchronized void add(Object stream) {
        askedNanos.values().removeIf(asked -> time.nanos() - asked > CLOSED_AFTER);
        if (askedNanos.size() >= MOST) {
            throw new AdminProblem(
                    503, "too_many_streams", "Too many clients watch", "Close pages of the console, or GET figures.");
        }
        askedNanos.put(stream, time.nanos());
    }

    private synchronized void asked(Object stream) {
        askedNanos.put(stream, time.nanos());
    }
}
