package dev.semel.engine;

import dev.semel.Identity;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A near-cache that forgets nothing by itself: whatever is not answered from it was refused by the engine. */
final class MapCache implements NearCache {

    final Map<Identity, Entry> entries = new HashMap<>();
    final Map<Identity, Duration> lengths = new HashMap<>();

    @Override
    public Optional<Entry> find(Identity identity) {
        return Optional.ofNullable(entries.get(identity));
    }

    @Override
    public void keep(Entry entry, Duration atMost) {
        entries.put(entry.identity(), entry);
        lengths.put(entry.identity(), atMost);
    }

    @Override
    public void forget(Identity identity) {
        entries.remove(identity);
    }

    @Override
    public void clear() {
        entries.clear();
    }
}
