package dev.semel.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("concurrent duplicates with a near-cache")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ConcurrentDuplicatesTest {

    private static final int THREADS = 8;
    private static final int KEYS = 300;
    private static final int ROUNDS = 3;
    private static final Operation OPERATION = Operation.named("order").waitUpTo(Duration.ofMinutes(1));

    private final AtomicIntegerArray executions = new AtomicIntegerArray(KEYS);
    private final LongAdder created = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder near = new LongAdder();

    private void count(Event event) {
        if (event instanceof Event.Granted) {
            created.increment();
        } else if (event instanceof Event.Replayed replay) {
            replayed.increment();
            near.add(replay.near() ? 1 : 0);
        }
    }

    private void race(CaffeineNearCache cache) throws Exception {
        try (SemelEngine semel = SemelEngine.on(new MemoryStore())
                .nearCache(cache)
                .listener(this::count)
                .build()) {
            CyclicBarrier barrier = new CyclicBarrier(THREADS);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    all.add(threads.submit(() -> {
                        for (int i = 0; i < KEYS * ROUNDS; i++) {
                            if (i % 10 == 0) {
                                barrier.await(1, TimeUnit.MINUTES);
                            }
                            request(semel, i % KEYS);
                        }
                        return null;
                    }));
                }
                for (Future<?> each : all) {
                    each.get(1, TimeUnit.MINUTES);
                }
            } finally {
                threads.shutdownNow();
            }
        }
        for (int key = 0; key < KEYS; key++) {
            assertThat(executions.get(key)).as("executions of key %d", key).isEqualTo(1);
        }
        assertThat(created.sum()).isEqualTo(KEYS);
        assertThat(replayed.sum()).isEqualTo((long) KEYS * (ROUNDS * THREADS - 1));
    }

    private void request(SemelEngine semel, int key) {
        Intent intent = Intent.of(OPERATION, Scope.of("acme"), Key.of("k" + key), new Fingerprint("v1:" + key));
        String answer = semel.execute(
                        intent, Codec.text(), attempt -> "order " + key + " " + executions.incrementAndGet(key))
                .orThrow();
        assertThat(answer).isEqualTo("order " + key + " 1");
    }

    @Test
    @DisplayName("I1, I3: one execution, and the same answer for all, mostly from memory")
    void room_for_all() throws Exception {
        race(CaffeineNearCache.builder().build());
        assertThat(near.sum()).isGreaterThan((long) KEYS * (ROUNDS - 1) * THREADS - 1);
    }

    @Test
    @DisplayName("I1, I3: also when the cache is small, and evicts entries that are still in use")
    void room_for_a_few() throws Exception {
        CaffeineNearCache small = CaffeineNearCache.builder().maxBytes(3000).build();
        race(small);
        assertThat(small.statistics().evictions()).isPositive();
    }
}
