package dev.semel.spring;

import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.redis.RedisStore;
import dev.semel.redis.tiered.TieredStore;
import dev.semel.redis.uri.RedisUri;

/** Puts Redis in front of a store; loaded only where the module semel-redis is. */
final class RedisTier {

    private RedisTier() {}

    /** @throws IllegalArgumentException when this is no Redis, or the store no database; the store is closed then */
    static Store over(Store store, String uri) {
        try {
            RedisUri redis = RedisUri.parse(uri);
            if (store instanceof RedisStore || store instanceof MemoryStore) {
                throw new IllegalArgumentException(
                        "Redis goes in front of a database, which stays the truth: set semel.store"
                                + " to one, or leave semel.tier out");
            }
            return TieredStore.over(store, redis);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
