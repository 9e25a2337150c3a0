package dev.semel.cache;

import dev.semel.Identity;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Removes expired entries, so that they take no room from others.
 *
 * <p>Caffeine can expire entries itself, but then each lookup reads a clock and updates its timers, which takes longer than
 * the rest of a replay from memory. Here a lookup compares two numbers, and each addition checks the next few entries.
 */
final class Expired {

    /** With two checks for each addition, expired entries are never more than a third of the others. */
    private static final int CHECKS = 2;

    private final ConcurrentMap<Identity, Kept> entries;
    private final Lock turn = new ReentrantLock();
    private Iterator<Kept> rest = Collections.emptyIterator();

    Expired(ConcurrentMap<Identity, Kept> entries) {
        this.entries = entries;
    }

    /** Checks the entries after those that were checked last; does nothing while another thread does so. */
    void removeSome(long nowNanos) {
        if (!turn.tryLock()) {
            return;
        }
        try {
            if (!rest.hasNext()) {
                rest = entries.values().iterator();
            }
            for (int i = 0; i < CHECKS && rest.hasNext(); i++) {
                removeIfExpired(rest.next(), nowNanos);
            }
        } finally {
            turn.unlock();
        }
    }

    void removeAll(long nowNanos) {
        entries.values().forEach(kept -> removeIfExpired(kept, nowNanos));
    }

    private void removeIfExpired(Kept kept, long nowNanos) {
        if (kept.isExpired(nowNanos)) {
            remove(kept);
        }
    }

    /** Removes this entry, but not one that has replaced it. */
    void remove(Kept kept) {
        entries.remove(kept.entry().identity(), kept);
    }
}
