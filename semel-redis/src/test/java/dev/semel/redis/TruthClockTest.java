package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is known of the truth's clock")
class TruthClockTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final TruthClock clock = new TruthClock(nanos::get);

    private long passes(long millis) {
        return nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    @DisplayName("is nothing before it has said something")
    void nothing() {
        assertThat(clock.latest()).isNull();
        assertThat(clock.earliest(clock.asking())).isNull();
    }

    @Test
    @DisplayName("is two bounds: what has elapsed since the question, and since the answer, with a drift")
    void bounds() {
        long asked = clock.asking();
        passes(2000);
        clock.heard(asked, NOON);
        assertThat(clock.latest()).isEqualTo(NOON.plusMillis(2002));
        assertThat(clock.earliest(clock.asking())).isEqualTo(NOON);
        passes(8000);
        assertThat(clock.latest()).isEqualTo(NOON.plusMillis(10_010));
        assertThat(clock.earliest(clock.asking())).isEqualTo(NOON.plusMillis(7992));
        assertThat(clock.earliest(asked)).isEqualTo(NOON.minusMillis(2002));
    }

    @Test
    @DisplayName("is what a newer answer says, also when the clock was set back")
    void newer() {
        clock.heard(clock.asking(), NOON);
        passes(1000);
        clock.heard(clock.asking(), NOON.minusSeconds(60));
        assertThat(clock.latest()).isEqualTo(NOON.minusSeconds(60));
    }

    @Test
    @DisplayName("is the later of two answers that may have been given in either order")
    void overlapping() {
        long first = clock.asking();
        passes(10);
        long second = clock.asking();
        passes(10);
        clock.heard(first, NOON.plusSeconds(60));
        clock.heard(second, NOON);
        assertThat(clock.latest()).isAfter(NOON.plusSeconds(60));
        clock.heard(second, NOON.plusSeconds(90));
        assertThat(clock.latest()).isAfter(NOON.plusSeconds(90));
        passes(10);
        clock.heard(clock.asking(), NOON);
        assertThat(clock.latest()).isEqualTo(NOON);
    }
}
