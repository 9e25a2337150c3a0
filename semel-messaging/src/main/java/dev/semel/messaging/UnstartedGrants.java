package dev.semel.messaging;

import dev.semel.Identity;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts how often each message was granted and released without calling the handler, such as messages behind a failed one.
 * The store counts these grants as attempts; they must not count toward the message's limit.
 *
 * <p>Kept in memory. After a restart the count is lost, and a message can become a dead letter too early.
 */
final class UnstartedGrants {

    /** Enough for 100 partitions whose first record failed, with Kafka's default of 500 records in a batch. */
    private static final int MAX_ENTRIES = 50_000;

    private final Map<Identity, Integer> counts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Integer> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    synchronized void add(Identity identity) {
        counts.merge(identity, 1, Integer::sum);
    }

    synchronized int count(Identity identity) {
        return counts.getOrDefault(identity, 0);
    }
}
