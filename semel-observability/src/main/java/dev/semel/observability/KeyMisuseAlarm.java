package dev.semel.observability;

import dev.semel.Scope;
import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener that calls somebody when keys of one scope are used again for other requests more often than is accidental: a
 * client with a broken key generator, or somebody who tries out keys.
 *
 * <ol>
 *   <li>It calls when more than the threshold came within the window, and then not again for that scope before the window
 *       has passed once more.
 *   <li>The window slides: it is about any stretch of time of that length.
 *   <li>It remembers the scopes that were last heard of, up to a limit. Whoever misuses keys of more scopes than that stays
 *       below it; the counter {@code api.idempotency.reserve.key_misuse} has no such limit.
 *   <li>It is called on the thread of the request that was refused, so it must not block.
 * </ol>
 *
 * <pre>{@code
 * SemelEngine.on(store).listener(KeyMisuseAlarm.above(20).within(Duration.ofMinutes(5)).calling(misuse -> ...)).build();
 * }</pre>
 */
public final class KeyMisuseAlarm implements SemelListener {

    /** Every scope that is remembered costs some thirty bytes for each mismatch up to the threshold. */
    private static final int HIGHEST_THRESHOLD = 1000;

    private final Builder settings;
    private final Consumer<KeyMisuse> hook;
    private final Map<Scope, Track> tracks;

    private KeyMisuseAlarm(Builder settings, Consumer<KeyMisuse> hook) {
        this.settings = settings;
        this.hook = hook;
        this.tracks = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Scope, Track> eldest) {
                return size() > settings.mostScopes;
            }
        };
    }

    /**
     * Starts to configure an alarm.
     *
     * @param threshold how many mismatches of one scope within the window may still be accidents: 0 to 1000
     */
    public static Builder above(int threshold) {
        if (threshold < 0 || threshold > HIGHEST_THRESHOLD) {
            throw new IllegalArgumentException(
                    "the threshold is " + threshold + ", it must be between 0 and " + HIGHEST_THRESHOLD);
        }
        return new Builder(threshold);
    }

    /** Configures an alarm; everything but the threshold has a default. */
    public static final class Builder {

        private final int threshold;
        private Duration window = Duration.ofMinutes(5);
        private int mostScopes = 10_000;
        private LongSupplier nanos = System::nanoTime;

        private Builder(int threshold) {
            this.threshold = threshold;
        }

        /** The stretch of time that is looked at; 5 minutes without it. */
        public Builder within(Duration newWindow) {
            if (newWindow.isNegative() || newWindow.isZero()) {
                throw new IllegalArgumentException("the window is " + newWindow + ", it must be positive");
            }
            window = newWindow;
            return this;
        }

        /** How many scopes are remembered at most; 10,000 without it. */
        public Builder mostScopes(int newMostScopes) {
            if (newMostScopes < 1) {
                throw new IllegalArgumentException("at least one scope has to be remembered, not " + newMostScopes);
            }
            mostScopes = newMostScopes;
            return this;
        }

        /** Replaces the sense of elapsed time, such as by {@code timer::nanos}; tests use a manual one. */
        public Builder nanos(LongSupplier newNanos) {
            nanos = newNanos;
            return this;
        }

        /** Makes the alarm, which is to be added to an engine as a listener. */
        public KeyMisuseAlarm calling(Consumer<KeyMisuse> hook) {
            Builder copy = new Builder(threshold);
            copy.window = window;
            copy.mostScopes = mostScopes;
            copy.nanos = nanos;
            return new KeyMisuseAlarm(copy, hook);
        }
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.RefusedMismatch mismatch) {
            KeyMisuse misuse = noticed(mismatch);
            if (misuse != null) {
                hook.accept(misuse);
            }
        }
    }

    private @Nullable KeyMisuse noticed(Event.RefusedMismatch mismatch) {
        Scope scope = mismatch.identity().scope();
        long now = settings.nanos.getAsLong();
        synchronized (tracks) {
            long count = tracks.computeIfAbsent(scope, each -> new Track())
                    .add(now, settings.threshold, settings.window.toNanos());
            return count == 0 ? null : new KeyMisuse(scope, mismatch.operation(), count);
        }
    }

    /** When the last mismatches of one scope came: those within the window, and no more than is above the threshold. */
    private static final class Track {

        private final Deque<Long> times = new ArrayDeque<>();
        private long count;
        private boolean called;
        private long calledNanos;

        /** Returns how many came if it is time to call, else none. */
        long add(long now, int threshold, long windowNanos) {
            while (!times.isEmpty() && now - times.getFirst() >= windowNanos) {
                times.removeFirst();
            }
            count = times.isEmpty() ? 1 : count + 1;
            times.addLast(now);
            if (times.size() > threshold + 1) {
                times.removeFirst();
            }
            boolean silent = called && now - calledNanos < windowNanos;
            if (silent || times.size() <= threshold) {
                return 0;
            }
            called = true;
            calledNanos = now;
            long all = count;
            count = 0;
            return all;
        }
    }
}
