package dev.semel.torture.net;

import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.redis.tiered.TieredStore;
import dev.semel.redis.uri.RedisUri;

/** Opens stores of every kind from URIs. */
public final class AnyStore {

    /** No URI holds one. */
    private static final String BETWEEN_TIERS = " ";

    private static final String TOMBSTONES = "tombstoneDays";

    private AnyStore() {}

    /** The name of a store that has a Redis in front of it. */
    public static String tiered(String primary, String front) {
        return primary + BETWEEN_TIERS + front;
    }

    /** The URI of the primary store, without that of the Redis in front of it. */
    public static String primaryOf(String uri) {
        return uri.split(BETWEEN_TIERS, 2)[0];
    }

    /** The same store, which keeps tombstones of deleted records for longer than any run. */
    public static String withTombstones(String uri) {
        String primary = primaryOf(uri);
        if (primary.contains(TOMBSTONES)) {
            return uri;
        }
        return primary + (primary.contains("?") ? "&" : "?") + TOMBSTONES + "=1" + uri.substring(primary.length());
    }

    /**
     * Opens the store that a URI names.
     *
     * @throws dev.semel.StoreException when the store cannot be opened
     */
    public static Store open(String uri) {
        if (!uri.contains(BETWEEN_TIERS)) {
            return Stores.open(uri);
        }
        Store primary = open(primaryOf(uri));
        try {
            return TieredStore.over(primary, RedisUri.parse(uri.split(BETWEEN_TIERS, 2)[1]));
        } catch (RuntimeException e) {
            primary.close();
            throw e;
        }
    }
}
