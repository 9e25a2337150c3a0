package dev.semel.observability;

import dev.semel.key.KeyFinding;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The meters of one operation.
 *
 * <p>All counters are registered at zero with the operation's first event: a query for the rate of a counter would miss an
 * increment that comes together with its registration. Timers are registered when they are first used, since each can be a
 * whole histogram.
 */
final class OperationMeters {

    private static final List<String> COUNTERS = List.of(
            Counters.CREATED,
            Counters.REPLAY,
            Counters.IN_PROGRESS,
            Counters.KEY_MISUSE,
            Counters.FAILED_RETRY,
            Counters.UNKNOWN,
            Counters.CACHE_HIT,
            Counters.STORE_ERROR,
            Counters.ZOMBIE_KEY,
            Counters.RECONCILE_SCHEDULED,
            Counters.RECONCILE_RESOLVED,
            Counters.RECONCILE_FAILED);

    private final MeterRegistry registry;
    private final String operation;
    private final Map<String, Counter> counters = new HashMap<>();
    private final ConcurrentMap<String, Timer> claims = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Timer> settlements = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Timer> executions = new ConcurrentHashMap<>();

    OperationMeters(MeterRegistry registry, String operation) {
        this.registry = registry;
        this.operation = operation;
        for (String name : COUNTERS) {
            counters.put(name, registry.counter(name, SemelMetrics.OPERATION, operation));
        }
        for (KeyFinding finding : KeyFinding.values()) {
            poorKeys(finding);
        }
    }

    void poorKey(KeyFinding finding) {
        poorKeys(finding).increment();
    }

    private Counter poorKeys(KeyFinding finding) {
        return registry.counter(
                Counters.KEY_HYGIENE, SemelMetrics.OPERATION, operation, SemelMetrics.FINDING, finding.tag());
    }

    void count(String name, long more) {
        Counter counter = counters.get(name);
        if (counter == null) {
            counter = registry.counter(name, SemelMetrics.OPERATION, operation);
        }
        counter.increment((double) more);
    }

    void claimed(String outcome, Duration took) {
        timer(claims, SemelMetrics.CLAIM, outcome).record(took);
    }

    void settled(String outcome, Duration execution, Duration settling) {
        timer(executions, SemelMetrics.EXECUTION, outcome).record(execution);
        timer(settlements, SemelMetrics.SETTLE, outcome).record(settling);
    }

    private Timer timer(ConcurrentMap<String, Timer> timers, String name, String outcome) {
        Timer known = timers.get(outcome);
        return known != null
                ? known
                : timers.computeIfAbsent(
                        outcome,
                        each -> registry.timer(name, SemelMetrics.OPERATION, operation, SemelMetrics.OUTCOME, each));
    }
}
