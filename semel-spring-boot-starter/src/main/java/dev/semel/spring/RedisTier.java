package dev.semel.spring;

import dev.semel.admin.Finding;
import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.redis.RedisStore;
import dev.semel.redis.doctor.RedisDoctor;
import dev.semel.redis.tiered.TieredOptions;
import dev.semel.redis.tiered.TieredStore;
import dev.semel.redis.uri.RedisUri;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts Redis in front of a store; loaded only with the module semel-redis. */
final class RedisTier {

    private RedisTier() {}

    static boolean isRedis(String uri) {
        return RedisUri.isRedis(uri);
    }

    /** What the doctor finds about its servers. */
    static List<Finding> findings(String uri) {
        return RedisDoctor.examine(RedisUri.parse(uri)).stream()
                .map(found -> {
                    String text = found.server() + ": " + found.text();
                    return switch (found.weight()) {
                        case FINE -> Finding.ok(text);
                        case NOTE -> Finding.note(text);
                        case UNSAFE, BROKEN -> Finding.unsafe(text);
                    };
                })
                .toList();
    }

    /** @throws IllegalArgumentException when this is not a Redis URI, or the store is no database; the store is closed then */
    static Store over(Store store, String uri, @Nullable Duration timeout, @Nullable Duration maxAge) {
        try {
            TieredOptions options = TieredOptions.DEFAULT;
            if (timeout != null) {
                options = Operations.checked(
                        "semel.tier-timeout", timeout, () -> TieredOptions.DEFAULT.withTimeout(timeout));
            }
            if (maxAge != null) {
                TieredOptions before = options;
                options = Operations.checked("semel.tier-max-age", maxAge, () -> before.withMaxAge(maxAge));
            }
            RedisUri redis = RedisUri.parse(uri);
            if (store instanceof RedisStore || store instanceof MemoryStore) {
                throw new IllegalArgumentException(
                        "semel.tier puts Redis in front of a database as the primary store, but semel.store is none: set"
                                + " semel.store to a database, or leave semel.tier out");
            }
            return TieredStore.over(store, redis, options);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
