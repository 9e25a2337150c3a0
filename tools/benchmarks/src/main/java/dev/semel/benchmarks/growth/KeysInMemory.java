package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.load.Together;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;

/** The heap that completed keys take: in a store in memory, and in a near-cache in front of it. */
final class KeysInMemory {

    private static final int KEYS = 1_000_000;

    /** No cache is this large: nothing is forgotten while it is measured. */
    private static final long PLENTY_OF_BYTES = 1L << 40;

    private static final int THREADS = 4;

    /** A collection may leave what became free only during it. */
    private static final int COLLECTIONS = 3;

    private KeysInMemory() {}

    static void measure(BenchContext context, GrowthResults results) throws Exception {
        int keys = context.settings().records().isEmpty()
                ? KEYS
                : context.settings().records().get(0);
        context.progress().status("completing " + Figures.count(keys) + " keys in memory");
        double alone = bytesOfEach(keys, SemelEngine.on(new MemoryStore()));
        CaffeineNearCache cache =
                CaffeineNearCache.builder().maxBytes(PLENTY_OF_BYTES).build();
        double cached = bytesOfEach(keys, SemelEngine.on(new MemoryStore()).nearCache(cache));
        results.note("Heap of each of " + Figures.count(keys) + " completed keys, 256-byte responses: "
                + Figures.count(alone) + " bytes in the memory store, " + Figures.count(cached - alone)
                + " more in a near-cache, which shares keys and responses with that store.");
    }

    private static double bytesOfEach(int keys, SemelEngine.Builder builder) throws Exception {
        long before = heap();
        try (SemelEngine semel = builder.build()) {
            SemelCalls calls = new SemelCalls(semel);
            Keys names = new Keys("m");
            Together.run(THREADS, keys, number -> calls.complete(names.next()));
            return (heap() - before) / (double) keys;
        }
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
