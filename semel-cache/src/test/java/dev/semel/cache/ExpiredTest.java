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

@DisplayName("entries whose time is up")
class ExpiredTest {

    private final ConcurrentMap<Identity, Kept> entries = new ConcurrentHashMap<>();
    private final Expired expired = new Expired(entries);

    private Kept keep(String key, long untilNanos) {
        Identity id = Identity.of("acme", key);
        Kept kept = new Kept(
                new NearCache.Entry(id, new Fingerprint("v1:abc"), Response.of(new byte[1]), 1, 2), untilNanos);
        entries.put(id, kept);
        return kept;
    }

    @Test
    void are_gone_when_half_as_many_have_come_as_there_are() {
        for (int i = 0; i < 100; i++) {
            keep("k" + i, i % 2 == 0 ? 10 : 1000);
        }
        for (int i = 0; i < 50; i++) {
            expired.dropSome(10);
        }
        assertThat(entries).hasSize(50);
        assertThat(entries.values()).noneMatch(kept -> kept.isOver(10));
    }

    @Test
    void are_found_again_and_again() {
        for (int round = 0; round < 3; round++) {
            keep("k", round);
            expired.dropSome(round - 1);
            assertThat(entries).hasSize(1);
            expired.dropSome(round);
            assertThat(entries).isEmpty();
            expired.dropSome(round);
        }
    }

    @Test
    void are_dropped_all_at_once_for_who_wants_to_count() {
        keep("early", 10);
        Kept late = keep("late", 11);
        expired.dropAll(10);
        assertThat(entries.values()).containsExactly(late);
    }

    @Test
    void do_not_take_with_them_what_has_taken_their_place() {
        Kept earlier = keep("k", 10);
        Kept later = keep("k", 20);
        expired.drop(earlier);
        assertThat(entries.values()).containsExactly(later);
    }
}
