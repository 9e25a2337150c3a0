package dev.semel.admin;

import dev.semel.admin.access.AdminTime;
import dev.semel.admin.json.Json;
import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys that were used again with another request, in the memory of this process: the latest of them. */
public final class MisuseLog implements SemelListener {

    private static final int MOST = 500;

    private final AdminTime time;
    private final Map<Misused, Count> misused = new LinkedHashMap<>(16, 0.75f, true);

    /** @param time says when a key was misused */
    public MisuseLog(AdminTime time) {
        this.time = time;
    }

    private record Misused(String scope, String operation, String key) {}

    private record Count(long count, Instant first, Instant last) {}

    @Override
    public synchronized void on(Event event) {
        if (event instanceof Event.RefusedMismatch mismatch) {
            Instant now = time.instant();
            Misused key = new Misused(
                    mismatch.identity().scope().value(),
                    mismatch.operation(),
                    mismatch.identity().key().redacted());
            Count before = misused.getOrDefault(key, new Count(0, now, now));
            misused.put(key, new Count(before.count() + 1, before.first(), now));
            if (misused.size() > MOST) {
                misused.remove(misused.keySet().iterator().next());
            }
        }
    }

    synchronized List<Json> list() {
        return misused.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Misused, Count> entry) ->
                                entry.getValue().last())
                        .reversed())
                .map(entry -> Json.object()
                        .with("scope", entry.getKey().scope())
                        .with("operation", entry.getKey().operation())
                        .with("keyDigest", entry.getKey().key())
                        .with("count", entry.getValue().count())
                        .with("first", entry.getValue().first())
                        .with("last", entry.getValue().last()))
                .toList();
    }
}
