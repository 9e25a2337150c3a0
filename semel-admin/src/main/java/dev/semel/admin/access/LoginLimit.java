package dev.semel.admin.access;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many log-ins of an address may fail: few enough that trying tokens is hopeless. */
public final class LoginLimit {

    private static final int MOST_FAILURES = 5;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    /** More addresses than this at once are an attack; the oldest are forgotten. */
    private static final int MOST_ADDRESSES = 10_000;

    private final AdminTime time;
    private final Map<String, Deque<Long>> failures = new LinkedHashMap<>();

    public LoginLimit(AdminTime time) {
        this.time = time;
    }

    /** Whether this address may try. */
    public synchronized boolean allows(String address) {
        Deque<Long> failed = failures.get(address);
        if (failed == null) {
            return true;
        }
        failed.removeIf(at -> time.nanos() - at > WINDOW.toNanos());
        if (failed.isEmpty()) {
            failures.remove(address);
        }
        return failed.size() < MOST_FAILURES;
    }

    public synchronized void failed(String address) {
        if (failures.size() >= MOST_ADDRESSES) {
            failures.remove(failures.keySet().iterator().next());
        }
        failures.computeIfAbsent(address, a -> new ArrayDeque<>()).add(time.nanos());
    }
}
