package dev.semel.torture.crash;

import dev.semel.Identity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The armed crash points, and what each does to the thread that reaches it. Each goes off once.
 *
 * <p>Thread-safe: of several threads at one point, one sets it off.
 */
public final class CrashPoints {

    /** What a point does to the process, or to the thread that reached it. */
    public interface Trap {
        void spring(CrashPoint point, Identity identity);
    }

    private final Map<CrashPoint, Trap> armed = new ConcurrentHashMap<>();

    /** Springs the trap on the next thread that reaches this point. */
    public void arm(CrashPoint point, Trap trap) {
        armed.put(point, trap);
    }

    /** Removes the traps that have not gone off. */
    public void disarm() {
        armed.clear();
    }

    /** Called when a thread reaches a point with the request of this identity. */
    public void reach(CrashPoint point, Identity identity) {
        Trap trap = armed.remove(point);
        if (trap != null) {
            trap.spring(point, identity);
        }
    }
}
