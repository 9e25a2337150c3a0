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
 * A listener that calls a hook when the keys of one scope are reused for different requests more often than a threshold: the
 * client has a broken key generator, or an attacker tries keys.
 *
 * <ol>
 *   <li>It calls the hook when more mismatches than the threshold occurred within the window, and then for the same scope not
 *       again until another window has passed.
 *   <li>The window slides: it covers any period of its length.
 *   <li>It tracks a limited number of scopes, those with the most recent mismatches. An attack on more scopes than that can
 *       stay below the threshold; the counter {@code api.idempotency.reserve.key_misuse} has no such limit.
 *   <li>It calls the hook on the thread of the refused request, so the hook must not block.
 * </ol>
 *
 * <pre>{@code
 * SemelEngine.on(store).listener(KeyMisuseAlarm.above(20).within(Duration.ofMinutes(5)).calling(misuse -> ...)).build();
 * }</pre>
 */
public final class KeyMisuseAlarm implements SemelListener {

    /** A tracked scope takes some thirty bytes for each mismatch up to the threshold. */
    private static final int MAX_THRESHOLD = 1000;

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
                return size() > settings.maxScopes;
            }
        };
    }

    /**
     * Starts to configure an alarm.
     *
     * @param threshold how many mismatches of one scope within the window raise no alarm: 0 to 1000
     */
    public static Builder above(int threshold) {
        if (threshold < 0 || threshold > MAX_THRESHOLD) {
            throw new IllegalArgumentException(
                    "the threshold is " + threshold + ", it must be between 0 and " + MAX_THRESHOLD);
        }
        return new Builder(threshold);
    }

    /** Configures an alarm; everything but the threshold has a default. */
    public static final class Builder {

        private final int threshold;
        private Duration window = Duration.ofMinutes(5);
        private int maxScopes = 10_000;
        private LongSupplier nanos = System::nanoTime;

        private Builder(int threshold) {
            this.threshold = threshold;
        }

        /** Sets the length of the window; 5 minutes by default. */
        public Builder within(Duration newWindow) {
            if (newWindow.isNegative() || newWindow.isZero()) {
                throw new IllegalArgumentException("the window is " + newWindow + ", it must be positive");
            }
            window = newWindow;
            return this;
        }

        /** Sets how many scopes are tracked at most; 10,000 by default. */
        public Builder maxScopes(int newMaxScopes) {
            if (newMaxScopes < 1) {
                throw new IllegalArgumentException("maxScopes is " + newMaxScopes + ", it must be at least 1");
            }
            maxScopes = newMaxScopes;
            return this;
        }

        /** Sets the source of elapsed time, for example {@code timer::nanos}; tests use a manual one. */
        public Builder nanos(LongSupplier newNanos) {
            nanos = newNanos;
            return this;
        }

        /** Creates the alarm; add it to an engine as a listener. */
        public KeyMisuseAlarm calling(Consumer<KeyMisuse> hook) {
            Builder copy = new Builder(threshold);
            copy.window = window;
            copy.maxScopes = maxScopes;
            copy.nanos = nanos;
            return new KeyMisuseAlarm(copy, hook);
        }
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.RefusedMismatch mismatch) {
            KeyMisuse misuse = track(mismatch);
            if (misuse != null) {
                hook.accept(misuse);
            }
        }
    }

    private @Nullable KeyMisuse track(Event.RefusedMismatch mismatch) {
        Scope scope = mismatch.identity().scope();
        long now = settings.nanos.getAsLong();
        synchronized (tracks) {
            long count = tracks.computeIfAbsent(scope, each -> new Track())
                    .add(now, settings.threshold, settings.window.toNanos());
            return count == 0 ? null : new KeyMisuse(scope, mismatch.operation(), count);
        }
    }

    /** The times of the last mismatches of one scope: those within the window, at most one more than the threshold. */
    private static final class Track {

        private final Deque<Long> times = new ArrayDeque<>();
        private long count;
        private boolean called;
        private long calledNanos;

        /** Returns the number of mismatches if the hook is to be called, otherwise 0. */
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
