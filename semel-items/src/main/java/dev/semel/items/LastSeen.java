package dev.semel.items;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open records that this process has written last, so that the next write of one needs no read before it. A guess only: the
 * write has the condition that the item is still like this.
 */
final class LastSeen {

    /** The attempts that one process has under way, with room to spare; a few megabytes. */
    private static final int MOST = 10_000;

    /** Larger items are read again rather than kept. */
    private static final int MOST_STEPS = 4096;

    private static final int MOST_ENTRIES = 64;

    private final Map<Identity, Item> items = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Item> eldest) {
            return size() > MOST;
        }
    };

    synchronized @Nullable Item get(Identity identity) {
        return items.get(identity);
    }

    synchronized void wrote(Item item) {
        if (isWorthKeeping(item)) {
            items.put(item.identity(), item);
        } else {
            items.remove(item.identity());
        }
    }

    private static boolean isWorthKeeping(Item item) {
        StoredRecord record = item.record();
        return record != null
                && (record.state() == State.IN_PROGRESS || record.state() == State.UNKNOWN)
                && record.steps().bytes().length <= MOST_STEPS
                && item.audit().size() <= MOST_ENTRIES;
    }
}
