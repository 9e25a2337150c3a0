package dev.semel.benchmarks.tiered;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.benchmarks.load.Together;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.ReplayedKeys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.Stores;
import dev.semel.redis.tiered.TieredStore;

/** One database, asked with and without a Redis of this run's own in front of it. */
final class TieredArena implements AutoCloseable {

    private static final int FILLERS = 64;

    final SemelCalls database;
    final SemelCalls tiered;
    final SemelCalls memory;
    private final RedisPlace redis = RedisPlace.started();
    private final SemelEngine alone;
    private final SemelEngine front;
    private final SemelEngine both;

    TieredArena(BenchContext context, ReplayedKeys keys) throws Exception {
        Database shared = context.databases().create("tiered");
        alone = SemelEngine.on(Stores.open(shared.uri())).build();
        front = SemelEngine.on(tiered(shared)).build();
        both = SemelEngine.on(tiered(shared))
                .nearCache(CaffeineNearCache.builder().build())
                .build();
        database = new SemelCalls(alone);
        tiered = new SemelCalls(front);
        memory = new SemelCalls(both);
        context.progress().status("completing " + Figures.count(keys.all().size()) + " keys");
        Together.run(
                FILLERS, keys.all().size(), number -> tiered.complete(keys.all().get(number)));
    }

    private TieredStore tiered(Database shared) {
        return TieredStore.over(Stores.open(shared.uri()), redis.uri());
    }

    @Override
    public void close() {
        both.close();
        front.close();
        alone.close();
        redis.close();
    }
}
