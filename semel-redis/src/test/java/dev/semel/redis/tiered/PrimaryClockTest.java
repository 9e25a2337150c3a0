package dev.semel.redis.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bounds of the primary store's clock")
class PrimaryClockTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final PrimaryClock clock = new PrimaryClock(nanos::get);

    private long elapse(long millis) {
        return nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    @DisplayName("are absent before the first answer")
    void nothing() {
        assertThat(clock.latest()).isNull();
        assertThat(clock.earliest(clock.requestNanos())).isNull();
    }

    @Test
    @DisplayName("are the answer plus the time since the request, and plus the time since the answer, with a drift")
    void bounds() {
        long request = clock.requestNanos();
        elapse(2000);
        clock.onAnswer(request, NOON);
        assertThat(clock.latest()).isEqualTo(NOON.plusMillis(2002));
        assertThat(clock.earliest(clock.requestNanos())).isEqualTo(NOON);
        elapse(8000);
        assertThat(clock.latest()).isEqualTo(NOON.plusMillis(10_010));
        assertThat(clock.earliest(clock.requestNanos())).isEqualTo(NOON.plusMillis(7992));
        assertThat(clock.earliest(request)).isEqualTo(NOON.minusMillis(2002));
    }

    @Test
    @DisplayName("follow a newer answer, also when the clock was set back")
    void newer() {
        clock.onAnswer(clock.requestNanos(), NOON);
        elapse(1000);
        clock.onAnswer(clock.requestNanos(), NOON.minusSeconds(60));
        assertThat(clock.latest()).isEqualTo(NOON.minusSeconds(60));
    }

    @Test
    @DisplayName("follow the later of two answers that may have been given in either order")
    void overlapping() {
        long first = clock.requestNanos();
        elapse(10);
        long second = clock.requestNanos();
        elapse(10);
        clock.onAnswer(first, NOON.plusSeconds(60));
        clock.onAnswer(second, NOON);
        assertThat(clock.latest()).isAfter(NOON.plusSeconds(60));
        clock.onAnswer(second, NOON.plusSeconds(90));
        assertThat(clock.latest()).isAfter(NOON.plusSeconds(90));
        elapse(10);
        clock.onAnswer(clock.requestNanos(), NOON);
        assertThat(clock.latest()).isEqualTo(NOON);
    }
}
