package dev.semel.observability;

import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * An engine's events as meters of a Micrometer registry: the counters of {@link Counters} under the same names, timers of
 * claims, settlements and executions, and the share of replays.
 *
 * <pre>{@code
 * Semel semel = SemelEngine.on(store).listener(new SemelMetrics(registry)).build();
 * }</pre>
 *
 * <p>Tags are the operation, on timers the outcome, and on poor keys the finding. Keys and scopes are never tags: their number
 * is unlimited. Operations are names in the application's code. In case an application derives them from requests, all after
 * the first {@value #MAX_OPERATIONS} are counted together.
 */
public final class SemelMetrics implements SemelListener {

    /** How long claims took, including the time that they waited for a running attempt. */
    public static final String CLAIM = "api.idempotency.claim";

    /** How long settlements took from the outcome to the store's answer, over all tries. */
    public static final String SETTLE = "api.idempotency.settle";

    /** How long executions took. */
    public static final String EXECUTION = "api.idempotency.execution";

    /** The share of replays among all decided claims of this instance; not a number before the first claim. */
    public static final String REPLAY_RATIO = "api.idempotency.replay.ratio";

    static final String OPERATION = "operation";
    static final String OUTCOME = "outcome";
    static final String FINDING = "finding";

    /** The operation of events about many records at once. */
    public static final String NO_OPERATION = "none";

    /** The operation of all events beyond the limit of operations. */
    public static final String OTHER_OPERATIONS = "other";

    /** More than any service has; each costs about fifty series. */
    static final int MAX_OPERATIONS = 200;

    private final MeterRegistry registry;
    private final ConcurrentMap<String, OperationMeters> operations = new ConcurrentHashMap<>();
    private final UnboundMeters unbound;
    private final Counters.Tally tally = this::count;
    private final LongAdder claims = new LongAdder();
    private final LongAdder replays = new LongAdder();

    public SemelMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.unbound = new UnboundMeters(registry);
        Gauge.builder(REPLAY_RATIO, this, SemelMetrics::replayRatio)
                .description("Share of replays among all decided claims")
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.PoorKey poor) {
            of(poor.operation()).poorKey(poor.finding());
            return;
        }
        Counters.count(event, tally);
        if (event instanceof Event.OfClaim claim) {
            claims.increment();
            if (event instanceof Event.Replayed) {
                replays.increment();
            }
            of(claim.operation()).claimed(outcomeOf(claim), claim.took());
        } else if (event instanceof Event.OfSettlement settlement) {
            of(settlement.operation()).settled(outcomeOf(settlement), settlement.execution(), settlement.settling());
        }
    }

    private void count(String name, String operation, long more) {
        if (operation.equals(Counters.NONE)) {
            unbound.count(name, more);
        } else {
            of(operation).count(name, more);
        }
    }

    private OperationMeters of(String operation) {
        OperationMeters known = operations.get(operation);
        if (known != null) {
            return known;
        }
        // Concurrent threads can exceed the limit by a few names, which does no harm.
        String name = operations.size() < MAX_OPERATIONS ? operation : OTHER_OPERATIONS;
        return operations.computeIfAbsent(name, each -> new OperationMeters(registry, each));
    }

    private static String outcomeOf(Event.OfClaim claim) {
        if (claim instanceof Event.Granted) {
            return "granted";
        }
        if (claim instanceof Event.Replayed replayed) {
            return replayed.near() ? "replayed_near" : "replayed";
        }
        if (claim instanceof Event.RefusedMismatch) {
            return "mismatch";
        }
        if (claim instanceof Event.RefusedExpired) {
            return "key_expired";
        }
        if (claim instanceof Event.RefusedFromFuture) {
            return "key_from_future";
        }
        return claim instanceof Event.RefusedInProgress ? "in_progress" : "unknown";
    }

    private static String outcomeOf(Event.OfSettlement settlement) {
        return settlement instanceof Event.Settled settled
                ? settled.to().name().toLowerCase(Locale.ROOT)
                : "lease_lost";
    }

    private double replayRatio() {
        long all = claims.sum();
        return all == 0 ? Double.NaN : (double) replays.sum() / all;
    }
}
