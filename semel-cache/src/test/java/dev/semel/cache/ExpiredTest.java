package dev.semel.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.engine.NearCache;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("expired entries")
class ExpiredTest {

    private static final NearCache.Origin ORIGIN = new NearCache.Origin("charge", 1, 0);

    private final ConcurrentMap<Identity, Kept> entries = new ConcurrentHashMap<>();
    private final Expired expired = new Expired(entries);

    private Kept keep(String key, long untilNanos) {
        Identity id = Identity.of("acme", key);
        Kept kept = new Kept(
                new NearCache.Entry(id, new Fingerprint("v1:abc"), Response.of(new byte[1]), ORIGIN, 1, 2), untilNanos);
        entries.put(id, kept);
        return kept;
    }

    @Test
    void are_removed_by_half_as_many_additions() {
        for (int i = 0; i < 100; i++) {
            keep("k" + i, i % 2 == 0 ? 10 : 1000);
        }
        for (int i = 0; i < 50; i++) {
            expired.removeSome(10);
        }
        assertThat(entries).hasSize(50);
        assertThat(entries.values()).noneMatch(kept -> kept.isExpired(10));
    }

    @Test
    void are_removed_in_every_round() {
        for (int round = 0; round < 3; round++) {
            keep("k", round);
            expired.removeSome(round - 1);
            assertThat(entries).hasSize(1);
            expired.removeSome(round);
            assertThat(entries).isEmpty();
            expired.removeSome(round);
        }
    }

    @Test
    void are_removed_all_at_once_on_demand() {
        keep("early", 10);
        Kept late = keep("late", 11);
        expired.removeAll(10);
        assertThat(entries.values()).containsExactly(late);
    }

    @Test
    void are_removed_without_the_entry_that_replaced_them() {
        Kept earlier = keep("k", 10);
        Kept later = keep("k", 20);
        expired.remove(earlier);
        assertThat(entries.values()).containsExactly(later);
    }
}
