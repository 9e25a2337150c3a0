package dev.semel.admin;

import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.json.Json;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.Page;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts of records that need attention. All viewers share one look a second, whose cost has a limit. */
final class StoreFigures {

    /** Counts stop here: more is as alarming. */
    private static final int MOST = RecordSearch.MAX_LIMIT;

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final Records records;
    private final AdminTime time;
    private @Nullable Figures last;
    private long lookedNanos;

    StoreFigures(Records records, AdminTime time) {
        this.records = records;
        this.time = time;
    }

    /** @param problem why the store could not be asked; null when it could */
    private record Figures(
            int inProgress,
            int unknown,
            int deadLetters,
            boolean more,
            Duration oldestUnknown,
            @Nullable String problem) {}

    synchronized void addTo(Json json) {
        if (last == null || time.nanos() - lookedNanos >= PAUSE) {
            last = look();
            lookedNanos = time.nanos();
        }
        Figures figures = last;
        json.with("store", figures.problem() == null ? "up" : "down").with("storeProblem", figures.problem());
        if (figures.problem() == null) {
            json.with("inProgress", figures.inProgress())
                    .with("unknown", figures.unknown())
                    .with("deadLetters", figures.deadLetters())
                    .with("countsStopAt", MOST)
                    .with("countsStopped", figures.more())
                    .with("oldestUnknownMs", figures.oldestUnknown());
        }
    }

    private Figures look() {
        try {
            Page running = records.search(RecordSearch.newest(Filter.ALL.withStates(Set.of(State.IN_PROGRESS)), MOST));
            Filter open = Filter.ALL.withStates(Set.of(State.UNKNOWN));
            Page unknown = records.search(RecordSearch.oldest(open, MOST));
            // A search of its own: the unknown records beyond the limit may be the ones that wait for a person.
            Page dead = records.search(RecordSearch.oldest(open.withDeadLettered(true), MOST));
            Duration oldest = unknown.records().stream()
                    .map(StoredRecord::unknownFor)
                    .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) >= 0 ? a : b);
            boolean more = running.next() != null || unknown.next() != null || dead.next() != null;
            return new Figures(
                    running.records().size(),
                    unknown.records().size(),
                    dead.records().size(),
                    more,
                    oldest,
                    null);
        } catch (StoreException e) {
            return new Figures(0, 0, 0, false, Duration.ZERO, String.valueOf(e.getMessage()));
        }
    }
}
