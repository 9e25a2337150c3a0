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
 * A near-cache that holds as many bytes as it is allowed to, and what is asked for most.
 *
 * <p>What is deleted from the store before its retention ends is replayed for {@link Builder#maxAge} longer, unless somebody
 * {@linkplain #forget forgets} it here; see docs/how-to/near-cache.md.
 */
public final class CaffeineNearCache implements NearCache {

    private final long maxBytes;
    private final long maxAgeNanos;
    private final LongSupplier nanos;
    private final Cache<Identity, Kept> entries;
    private final Expired expired;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder displaced = new LongAdder();

    private CaffeineNearCache(Builder builder) {
        maxBytes = builder.maxBytes;
        maxAgeNanos = Kept.bounded(builder.maxAge);
        Timer timer = builder.timer;
        nanos = timer == null ? System::nanoTime : timer::nanos;
        entries = Caffeine.newBuilder()
                // On the thread that adds: then the bound holds at once, and the cache has no threads of its own.
                .executor(Runnable::run)
                .maximumWeight(maxBytes)
                .weigher((Identity identity, Kept kept) -> (int) Math.min(Integer.MAX_VALUE, Weight.of(kept.entry())))
                .evictionListener((identity, kept, cause) -> {
                    if (cause == RemovalCause.SIZE && kept != null && !kept.isOver(nanos.getAsLong())) {
                        displaced.increment();
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
        if (kept.isOver(nanos.getAsLong())) {
            expired.drop(kept);
            misses.increment();
            return Optional.empty();
        }
        hits.increment();
        return Optional.of(kept.entry());
    }

    /** Keeps the entry, unless it alone is larger than all that may be kept. */
    @Override
    public void keep(Entry entry, Duration atMost) {
        if (Weight.of(entry) > maxBytes) {
            entries.invalidate(entry.identity());
            return;
        }
        long now = nanos.getAsLong();
        expired.dropSome(now);
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

    /** What this cache has done so far, and how full it is. */
    public CacheStatistics statistics() {
        expired.dropAll(nanos.getAsLong());
        entries.cleanUp();
        long bytes = entries.policy()
                .eviction()
                .map(Policy.Eviction::weightedSize)
                .orElse(OptionalLong.empty())
                .orElse(0);
        return new CacheStatistics(hits.sum(), misses.sum(), displaced.sum(), entries.estimatedSize(), bytes, maxBytes);
    }

    /** Configures a near-cache; everything has a default. */
    public static final class Builder {

        /** A quarter of the smallest heap that services usually have, 128 MiB; room for some 20,000 responses of 1 KiB. */
        public static final long DEFAULT_MAX_BYTES = 32L << 20;

        /** Clients retry within seconds, and few after minutes; who deletes a record by hand can wait as long. */
        public static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(5);

        private long maxBytes = DEFAULT_MAX_BYTES;
        private Duration maxAge = DEFAULT_MAX_AGE;
        private @Nullable Timer timer;

        private Builder() {}

        /** How much memory all entries may take, by an estimate that includes what surrounds the responses. */
        public Builder maxBytes(long newMaxBytes) {
            if (newMaxBytes <= 0) {
                throw new IllegalArgumentException("the cache may hold " + newMaxBytes
                        + " bytes: give a positive number, or build the engine without a near-cache");
            }
            maxBytes = newMaxBytes;
            return this;
        }

        /** How long an entry is answered from without asking the store again: the longest that it can be out of date. */
        public Builder maxAge(Duration newMaxAge) {
            if (newMaxAge.isNegative() || newMaxAge.isZero()) {
                throw new IllegalArgumentException("the maximum age of an entry is " + newMaxAge
                        + ": it must be positive, or build the engine without a near-cache");
            }
            maxAge = newMaxAge;
            return this;
        }

        /** Replaces the cache's sense of elapsed time; tests use a manual one. */
        public Builder timer(Timer newTimer) {
            timer = newTimer;
            return this;
        }

        public CaffeineNearCache build() {
            return new CaffeineNearCache(this);
        }
    }
}
