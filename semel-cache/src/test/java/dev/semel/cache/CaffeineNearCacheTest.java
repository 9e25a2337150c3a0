package dev.semel.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.engine.NearCache.Entry;
import dev.semel.engine.NearCache.Origin;
import dev.semel.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a near-cache on Caffeine")
class CaffeineNearCacheTest {

    private static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofDays(1);
    private static final Duration NANO = Duration.ofNanos(1);
    private static final int MAX_BYTES = 100_000;
    private static final Origin ORIGIN = new Origin("charge", 1, 0);

    private final ManualTime time = new ManualTime();
    private final CaffeineNearCache cache = CaffeineNearCache.builder()
            .maxBytes(MAX_BYTES)
            .maxAge(MAX_AGE)
            .timer(time)
            .build();

    private static Identity id(String key) {
        return Identity.of("acme", key);
    }

    private static Entry entry(String key, int bytes) {
        return new Entry(id(key), new Fingerprint("v1:abc"), Response.of(new byte[bytes]), ORIGIN, 1, 2);
    }

    @Test
    void finds_a_kept_entry() {
        Entry entry = entry("k", 10);
        cache.keep(entry, LONG);
        assertThat(cache.find(id("k"))).containsSame(entry);
        assertThat(cache.find(id("other"))).isEmpty();
        assertThat(cache.find(Identity.of("globex", "k"))).isEmpty();
    }

    @Test
    void keeps_an_entry_for_at_most_the_given_time() {
        cache.keep(entry("k", 10), Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(10).minus(NANO));
        assertThat(cache.find(id("k"))).isPresent();
        time.advance(NANO);
        assertThat(cache.find(id("k"))).isEmpty();
    }

    @Test
    void keeps_no_entry_longer_than_its_maximum_age_however_often_it_is_used() {
        cache.keep(entry("k", 10), LONG);
        for (int second = 0; second < 59; second++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(cache.find(id("k"))).isPresent();
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(cache.find(id("k"))).isEmpty();
    }

    @Test
    void a_later_entry_replaces_an_earlier_one_and_its_expiry() {
        cache.keep(entry("k", 10), LONG);
        Entry later = entry("k", 20);
        cache.keep(later, Duration.ofMillis(5));
        assertThat(cache.find(id("k"))).containsSame(later);
        time.advance(Duration.ofMillis(5));
        assertThat(cache.find(id("k"))).isEmpty();
    }

    @Test
    void removes_one_entry_or_all() {
        cache.keep(entry("a", 10), LONG);
        cache.keep(entry("b", 10), LONG);
        cache.keep(entry("c", 10), LONG);
        cache.forget(id("a"));
        assertThat(cache.find(id("a"))).isEmpty();
        assertThat(cache.find(id("b"))).isPresent();
        cache.clear();
        assertThat(cache.find(id("b"))).isEmpty();
        assertThat(cache.find(id("c"))).isEmpty();
        assertThat(cache.statistics().bytes()).isZero();
    }

    @Test
    void stays_within_its_limit() {
        for (int i = 0; i < 1000; i++) {
            cache.keep(entry("k" + i, 5000), LONG);
            assertThat(cache.statistics().bytes()).isBetween(5000L, (long) MAX_BYTES);
        }
        CacheStatistics full = cache.statistics();
        assertThat(full.entries()).isBetween(10L, 20L);
        assertThat(full.evictions()).isEqualTo(1000 - full.entries());
    }

    @Test
    void the_removal_of_an_expired_entry_is_no_eviction() {
        for (int i = 0; i < 15; i++) {
            cache.keep(entry("old" + i, 5000), Duration.ofSeconds(1));
        }
        time.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 15; i++) {
            cache.keep(entry("new" + i, 5000), LONG);
        }
        CacheStatistics statistics = cache.statistics();
        assertThat(statistics.evictions() + statistics.entries()).isEqualTo(15);
    }

    @Test
    void a_duration_beyond_the_range_of_nanoseconds_never_expires() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        CaffeineNearCache unlimited =
                CaffeineNearCache.builder().maxAge(endless).timer(time).build();
        unlimited.keep(entry("k", 10), endless);
        time.advance(Duration.ofDays(36_500));
        assertThat(unlimited.find(id("k"))).isPresent();
    }

    @Test
    void a_response_larger_than_the_limit_is_not_kept_and_evicts_no_entry() {
        cache.keep(entry("small", 10), LONG);
        cache.keep(entry("grown", 10), LONG);
        cache.keep(entry("grown", MAX_BYTES), LONG);
        cache.keep(entry("large", MAX_BYTES), LONG);
        assertThat(cache.find(id("large"))).isEmpty();
        assertThat(cache.find(id("grown"))).isEmpty();
        assertThat(cache.find(id("small"))).isPresent();
        assertThat(cache.statistics().evictions()).isZero();
    }

    @Test
    void the_weight_of_a_small_response_includes_the_objects_around_it() {
        for (int i = 0; i < 1000; i++) {
            cache.keep(entry("k" + i, 0), LONG);
        }
        assertThat(cache.statistics().entries()).isLessThanOrEqualTo(MAX_BYTES / Weight.OVERHEAD_BYTES);
    }

    @Test
    void counts_hits_misses_and_evictions() {
        cache.keep(entry("k", 1000), LONG);
        cache.keep(entry("late", 1000), Duration.ofSeconds(1));
        cache.find(id("k"));
        cache.find(id("k"));
        cache.find(id("absent"));
        time.advance(MAX_AGE.dividedBy(2));
        cache.find(id("late"));
        long bytes = Weight.of(entry("k", 1000));
        assertThat(bytes).isBetween(1400L, 1600L);
        assertThat(cache.statistics()).isEqualTo(new CacheStatistics(2, 2, 0, 1, bytes, MAX_BYTES));
    }

    @Test
    void invalid_limits_are_refused_with_a_hint() {
        CaffeineNearCache.Builder builder = CaffeineNearCache.builder();
        assertThatThrownBy(() -> builder.maxBytes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without a near-cache");
        assertThatThrownBy(() -> builder.maxAge(Duration.ZERO)).hasMessageContaining("set a positive duration");
        assertThatThrownBy(() -> builder.maxAge(Duration.ofSeconds(-1)))
                .hasMessageContaining("set a positive duration");
    }
}
