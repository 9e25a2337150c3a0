package dev.semel.messaging;

import dev.semel.Identity;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often messages were granted and given back without being begun, such as those behind one that failed: the store counts
 * these as attempts, but they say nothing against a message.
 *
 * <p>Kept in memory. Who does not know of them gives a message up too soon, for a person to look at.
 */
final class GivenBack {

    /** Those behind the failed heads of a hundred partitions, with Kafka's usual 500 in a batch. */
    private static final int MOST = 50_000;

    private final Map<Identity, Integer> times = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Integer> eldest) {
            return size() > MOST;
        }
    };

    synchronized void once(Identity identity) {
        times.merge(identity, 1, Integer::sum);
    }

    synchronized int times(Identity identity) {
        return times.getOrDefault(identity, 0);
    }
}
