package dev.semel.admin;

import dev.semel.Identity;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.json.Json;
import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The responses that were replayed, in the memory of this process: the records replayed last. A store is not told of replays. */
public final class ReplayLog implements SemelListener {

    /** Some megabytes at most. */
    private static final int MOST = 10_000;

    private final AdminTime time;
    private final Map<Identity, Count> replayed = new LinkedHashMap<>(16, 0.75f, true);

    /** @param time says when a response was replayed */
    public ReplayLog(AdminTime time) {
        this.time = time;
    }

    private record Count(long count, Instant first, Instant last) {}

    @Override
    public synchronized void on(Event event) {
        if (event instanceof Event.Replayed replay) {
            Instant now = time.instant();
            replayed.merge(
                    replay.identity(),
                    new Count(1, now, now),
                    (before, one) -> new Count(before.count() + 1, before.first(), now));
            if (replayed.size() > MOST) {
                replayed.remove(replayed.keySet().iterator().next());
            }
        }
    }

    /** @param identity as it is stored */
    synchronized Json of(Identity identity) {
        Count count = replayed.get(identity);
        return count == null
                ? Json.object().with("count", 0)
                : Json.object()
                        .with("count", count.count())
                        .with("first", count.first())
                        .with("last", count.last());
    }
}
