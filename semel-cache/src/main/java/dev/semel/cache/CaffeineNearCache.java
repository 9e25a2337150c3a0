package dev.semel.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.semel.Identity;
import dev.semel.engine.NearCache;
import dev.semel.engine.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A near-cache on Caffeine, with a limit in bytes; it prefers to keep entries that are used often.
 *
 * <p>A record that is deleted from the store before its retention ends can be replayed for {@link Builder#maxAge} longer,
 * unless the operator also {@linkplain #forget removes} it here; see docs/how-to/near-cache.md.
 */
public final class CaffeineNearCache implements NearCache {

    private final long maxBytes;
    private final long maxAgeNanos;
    private final LongSupplier nanos;
    private final Cache<Identity, Kept> entries;
    private final Expired expired;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    private CaffeineNearCache(Builder builder) {
        maxBytes = builder.maxBytes;
        maxAgeNanos = Kept.bounded(builder.maxAge);
        Timer timer = builder.timer;
        nanos = timer == null ? System::nanoTime : timer::nanos;
        entries = Caffeine.newBuilder()
                // Maintenance runs on the thread that adds: the limit holds at once, and the cache needs no thread.
                .executor(Runnable::run)
                .maximumWeight(maxBytes)
                .weigher((Identity identity, Kept kept) -> (int) Math.min(Integer.MAX_VALUE, Weight.of(kept.entry())))
                .evictionListener((identity, kept, cause) -> {
                    if (cause == RemovalCause.SIZE && kept != null && !kept.isExpired(nanos.getAsLong())) {
                        evictions.increment();
                    }
                })
                .build();
        expired = new Expired(entries.asMap());
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Optional<Entry> find(Identity identity) {
        Kept kept = entries.getIfPresent(identity);
        if (kept == null) {
            misses.increment();
            return Optional.empty();
        }
        if (kept.isExpired(nanos.getAsLong())) {
            expired.remove(kept);
            misses.increment();
            return Optional.empty();
        }
        hits.increment();
        return Optional.of(kept.entry());
    }

    /** Keeps the entry, unless it alone is larger than the limit. */
    @Override
    public void keep(Entry entry, Duration atMost) {
        if (Weight.of(entry) > maxBytes) {
            entries.invalidate(entry.identity());
            return;
        }
        long now = nanos.getAsLong();
        expired.removeSome(now);
        entries.put(entry.identity(), new Kept(entry, now + Math.min(Kept.bounded(atMost), maxAgeNanos)));
    }

    @Override
    public void forget(Identity identity) {
        entries.invalidate(identity);
    }

    @Override
    public void clear() {
        entries.invalidateAll();
    }

    /** Returns the counts so far, and the size. */
    public CacheStatistics statistics() {
        expired.removeAll(nanos.getAsLong());
        entries.cleanUp();
        long bytes = entries.policy()
                .eviction()
                .map(Policy.Eviction::weightedSize)
                .orElse(OptionalLong.empty())
                .orElse(0);
        return new CacheStatistics(hits.sum(), misses.sum(), evictions.sum(), entries.estimatedSize(), bytes, maxBytes);
    }

    /** Configures a near-cache; everything has a default. */
    public static final class Builder {

        /** A quarter of 128 MiB, the smallest usual heap of a service; room for some 20,000 responses of 1 KiB. */
        public static final long DEFAULT_MAX_BYTES = 32L << 20;

        /** Most clients retry within seconds; an operator who deletes a record can wait this long. */
        public static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(5);

        private long maxBytes = DEFAULT_MAX_BYTES;
        private Duration maxAge = DEFAULT_MAX_AGE;
        private @Nullable Timer timer;

        private Builder() {}

        /** Sets how much memory all entries may take, by an estimate that includes the objects around the responses. */
        public Builder maxBytes(long newMaxBytes) {
            if (newMaxBytes <= 0) {
                throw new IllegalArgumentException("maxBytes is " + newMaxBytes
                        + ": set a positive number, or build the engine without a near-cache");
            }
            maxBytes = newMaxBytes;
            return this;
        }

        /** Sets how long an entry is used before the store is asked again: the longest time that it can be out of date. */
        public Builder maxAge(Duration newMaxAge) {
            if (newMaxAge.isNegative() || newMaxAge.isZero()) {
                throw new IllegalArgumentException("maxAge is " + newMaxAge
                        + ": set a positive duration, or build the engine without a near-cache");
            }
            maxAge = newMaxAge;
            return this;
        }

        /** Sets the source of elapsed time; tests use a manual one. */
        public Builder timer(Timer newTimer) {
            timer = newTimer;
            return this;
        }

        public CaffeineNearCache build() {
            return new CaffeineNearCache(this);
        }
    }
}
