package dev.semel.testkit.crash;

import dev.semel.Identity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which points are armed, and what happens to whoever comes to one; each goes off once.
 *
 * <p>Thread-safe: of several threads at one point, one sets it off.
 */
public final class CrashPoints {

    /** What a point does to the process, or to the thread that came to it. */
    public interface Trap {
        void spring(CrashPoint point, Identity identity);
    }

    private final Map<CrashPoint, Trap> armed = new ConcurrentHashMap<>();

    /** Lets the next one who comes to this point fall into the trap. */
    public void arm(CrashPoint point, Trap trap) {
        armed.put(point, trap);
    }

    /** Takes back what has not gone off. */
    public void disarm() {
        armed.clear();
    }

    /** Says that the calling thread is at a point with the request of this identity. */
    public void reach(CrashPoint point, Identity identity) {
        Trap trap = armed.remove(point);
        if (trap != null) {
            trap.spring(point, identity);
        }
    }
}
