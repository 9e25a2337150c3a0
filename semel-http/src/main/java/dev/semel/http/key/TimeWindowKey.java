package dev.semel.http.key;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The key {@code window:key}, where the window is the number of whole windows since 1970. */
final class TimeWindowKey implements KeyStrategy {

    private final long windowMillis;
    private final InstantSource clock;
    private final KeyStrategy inner;

    TimeWindowKey(Duration window, InstantSource clock, KeyStrategy inner) {
        if (window.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the time window is " + window + ", it must be at least 1 ms");
        }
        this.windowMillis = window.toMillis();
        this.clock = clock;
        this.inner = inner;
    }

    @Override
    public KeyResult resolve(KeyInput input) {
        KeyResult result = inner.resolve(input);
        if (!(result instanceof KeyResult.Found found)) {
            return result;
        }
        long window = Math.floorDiv(clock.millis(), windowMillis);
        return new KeyResult.Found(
                ComposedKey.of(List.of(String.valueOf(window), found.key().value())), found.chosen());
    }
}
