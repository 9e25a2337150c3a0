package dev.semel.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The counters of events without an operation. They are registered at zero from the start. */
final class UnboundMeters {

    private static final List<String> COUNTERS =
            List.of(Counters.STORE_ERROR, Counters.CACHE_ERROR, Counters.TTL_PRUNED);

    private final MeterRegistry registry;
    private final Map<String, Counter> counters = new HashMap<>();

    UnboundMeters(MeterRegistry registry) {
        this.registry = registry;
        for (String name : COUNTERS) {
            counters.put(name, counter(name));
        }
    }

    void count(String name, long more) {
        Counter known = counters.get(name);
        (known == null ? counter(name) : known).increment((double) more);
    }

    private Counter counter(String name) {
        return registry.counter(name, SemelMetrics.OPERATION, SemelMetrics.NO_OPERATION);
    }
}
