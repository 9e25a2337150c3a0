package dev.semel.admin;

import dev.semel.admin.access.AdminTime;
import dev.semel.admin.json.Json;
import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what passes an engine: rates over the last seconds, and the time that claims and settlements take. */
public final class LiveFigures implements SemelListener {

    /** Long enough for a rate that does not jump, short enough to see a change at once. */
    private static final int WINDOW_SECONDS = 10;

    private static final int SAMPLES = 1024;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** What is counted. */
    private enum Count {
        CREATED("created"),
        RETRIED("retried"),
        REPLAY("replay"),
        IN_PROGRESS("inProgress"),
        MISUSE("misuse"),
        UNKNOWN("unknown"),
        STORE_FAULT("storeFault");

        private final String label;

        Count(String label) {
            this.label = label;
        }
    }

    private final AdminTime time;
    private final long startedNanos;
    private final List<EnumMap<Count, Long>> counts = new ArrayList<>();
    private final long[] seconds = new long[WINDOW_SECONDS + 1];
    private final Latencies claims = new Latencies();
    private final Latencies settlements = new Latencies();

    public LiveFigures(AdminTime time) {
        this.time = time;
        this.startedNanos = time.nanos();
        Arrays.fill(seconds, -1);
        for (int slot = 0; slot < seconds.length; slot++) {
            counts.add(new EnumMap<>(Count.class));
        }
    }

    @Override
    public synchronized void on(Event event) {
        if (event instanceof Event.OfClaim claim) {
            claims.add(claim.took());
        } else if (event instanceof Event.OfSettlement settlement) {
            settlements.add(settlement.settling());
        }
        Count count = countOf(event);
        if (count != null) {
            counts.get(slot(second())).merge(count, 1L, Long::sum);
        }
    }

    private static @Nullable Count countOf(Event event) {
        if (event instanceof Event.Granted granted) {
            return granted.retry() ? Count.RETRIED : Count.CREATED;
        }
        if (event instanceof Event.Replayed) {
            return Count.REPLAY;
        }
        if (event instanceof Event.RefusedInProgress) {
            return Count.IN_PROGRESS;
        }
        if (event instanceof Event.RefusedMismatch) {
            return Count.MISUSE;
        }
        if (event instanceof Event.RefusedUnknown) {
            return Count.UNKNOWN;
        }
        return event instanceof Event.StoreFault || event instanceof Event.BatchFault ? Count.STORE_FAULT : null;
    }

    private long second() {
        return (time.nanos() - startedNanos) / SECOND;
    }

    /** The place of a second, emptied when it still holds an earlier one. */
    private int slot(long second) {
        int slot = (int) (second % seconds.length);
        if (seconds[slot] != second) {
            seconds[slot] = second;
            counts.get(slot).clear();
        }
        return slot;
    }

    /** Events a second, over the seconds before this one. */
    private double rate(Count count) {
        long now = second();
        long sum = 0;
        for (int slot = 0; slot < seconds.length; slot++) {
            if (seconds[slot] >= 0 && seconds[slot] < now && seconds[slot] >= now - WINDOW_SECONDS) {
                sum += counts.get(slot).getOrDefault(count, 0L);
            }
        }
        return (double) sum / Math.max(1, Math.min(WINDOW_SECONDS, now));
    }

    /** Adds the figures to an object. */
    synchronized void addTo(Json json) {
        Json rates = Json.object();
        for (Count count : Count.values()) {
            rates.with(count.label, rate(count));
        }
        double replays = rate(Count.REPLAY);
        double answered = replays + rate(Count.CREATED) + rate(Count.RETRIED);
        json.with("rates", rates)
                .with("windowSeconds", WINDOW_SECONDS)
                .with("hitRate", answered == 0 ? null : replays / answered)
                .with("claimMs", claims.toJson())
                .with("settleMs", settlements.toJson());
    }

    /** The last durations. */
    private static final class Latencies {

        private final long[] nanos = new long[SAMPLES];
        private long added;

        void add(Duration took) {
            nanos[(int) (added++ % SAMPLES)] = took.toNanos();
        }

        @Nullable
        Json toJson() {
            int size = (int) Math.min(added, SAMPLES);
            if (size == 0) {
                return null;
            }
            long[] sorted = Arrays.copyOf(nanos, size);
            Arrays.sort(sorted);
            return Json.object().with("p50", millis(sorted, 50)).with("p99", millis(sorted, 99));
        }

        private static double millis(long[] sorted, int percent) {
            int index = Math.min(sorted.length - 1, sorted.length * percent / 100);
            return Math.round(sorted[index] / 1e3) / 1e3;
        }
    }
}
