package dev.semel.cache;

import dev.semel.Identity;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drops entries whose time is up, so that they take no room from those that are still good.
 *
 * <p>Caffeine can do this as well, but then every reading reads its clock and is noted down for its timers, which takes
 * longer than all the rest of a replay from memory. Here a reading only compares two numbers, and whoever adds an entry
 * looks at the next few of those that are there.
 */
final class Expired {

    /** With two for every one that is added, those that are over are never more than a third of those that are not. */
    private static final int LOOKED_AT = 2;

    private final ConcurrentMap<Identity, Kept> entries;
    private final Lock turn = new ReentrantLock();
    private Iterator<Kept> rest = Collections.emptyIterator();

    Expired(ConcurrentMap<Identity, Kept> entries) {
        this.entries = entries;
    }

    /** Goes on through the entries where the one before has stopped; at once, if somebody else is at it. */
    void dropSome(long nowNanos) {
        if (!turn.tryLock()) {
            return;
        }
        try {
            if (!rest.hasNext()) {
                rest = entries.values().iterator();
            }
            for (int i = 0; i < LOOKED_AT && rest.hasNext(); i++) {
                dropIfOver(rest.next(), nowNanos);
            }
        } finally {
            turn.unlock();
        }
    }

    void dropAll(long nowNanos) {
        entries.values().forEach(kept -> dropIfOver(kept, nowNanos));
    }

    private void dropIfOver(Kept kept, long nowNanos) {
        if (kept.isOver(nowNanos)) {
            drop(kept);
        }
    }

    /** Leaves an entry that has taken its place meanwhile. */
    void drop(Kept kept) {
        entries.remove(kept.entry().identity(), kept);
    }
}
