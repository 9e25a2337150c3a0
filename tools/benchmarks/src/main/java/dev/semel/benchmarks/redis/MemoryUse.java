package dev.semel.benchmarks.redis;

import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.benchmarks.load.Together;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.engine.SemelEngine;
import dev.semel.redis.RedisStore;

/** What completed records take of Redis' memory: keys, values and indexes, with what its allocator adds. */
record MemoryUse(long bytes, int records) {

    /** Many enough that tables which double in size have done so several times. */
    static final int RECORDS = 100_000;

    private static final int FILLERS = 64;

    /** Completes so many keys, and removes them. */
    static MemoryUse of(BenchContext context, int records) throws Exception {
        RedisPlace place = context.redis();
        context.progress().status("filling: " + Figures.count(records) + " records");
        long before;
        long after;
        try (SemelEngine semel = SemelEngine.on(RedisStore.open(place.uri())).build()) {
            SemelCalls calls = new SemelCalls(semel);
            Keys keys = new Keys("memory");
            // Scripts, and the client's buffers.
            calls.complete(keys.next());
            before = place.usedMemory();
            Together.run(FILLERS, records, number -> calls.complete(keys.next()));
            after = place.usedMemory();
        }
        place.clear();
        return new MemoryUse(after - before, records);
    }

    double perRecord() {
        return (double) bytes / records;
    }
}
