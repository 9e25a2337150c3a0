package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Semel.CheckedWork;
import dev.semel.testsupport.stores.CountingStore;

/** Two engines on one store, like two processes: {@code near} has a near-cache, {@code semel} has none. */
abstract class NearFixture extends EngineFixture {

    final CountingStore counting = new CountingStore(store);
    final MapCache cache = new MapCache();
    final SemelEngine near = SemelEngine.on(counting)
            .timer(time)
            .listener(events::add)
            .nearCache(cache)
            .build();

    Execution<String> executeNear() {
        return executeNear(intent(CHARGE));
    }

    Execution<String> executeNear(Intent intent) {
        return near.execute(intent, Codec.text(), attempt -> "charged " + ++executions);
    }

    <E extends Exception> Execution<String> executeNear(Operation operation, CheckedWork<String, E> work) throws E {
        return near.executeChecked(intent(operation), Codec.text(), work);
    }

    /** How often the store is asked meanwhile. */
    long roundTripsOf(Runnable requests) {
        long before = counting.calls();
        requests.run();
        return counting.calls() - before;
    }
}
