package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What fails is left alone")
class BreakerTest {

    private final ManualTime time = new ManualTime();
    private final Breaker breaker = new Breaker(time::nanos);

    private void faults(int count) {
        for (int i = 0; i < count; i++) {
            breaker.fault();
        }
    }

    @Test
    @DisplayName("not after faults with answers between")
    void not_in_a_row() {
        for (int i = 0; i < 10; i++) {
            faults(2);
            assertThat(breaker.lets()).isTrue();
            assertThat(breaker.good()).isFalse();
        }
    }

    @Test
    @DisplayName("after three faults in a row, for a second; then one at a time may ask, until there is an answer")
    void in_a_row() {
        faults(2);
        assertThat(breaker.fault()).as("says so once").isTrue();
        assertThat(breaker.fault()).isFalse();
        assertThat(breaker.isClosed()).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(breaker.lets()).isFalse();
            time.advance(Breaker.PAUSE.minus(Duration.ofNanos(1)));
            assertThat(breaker.lets()).isFalse();
            time.advance(Duration.ofNanos(1));
            assertThat(breaker.lets()).isTrue();
            assertThat(breaker.lets()).isFalse();
            breaker.fault();
        }
        assertThat(breaker.good()).as("says so once").isTrue();
        assertThat(breaker.good()).isFalse();
        assertThat(breaker.lets()).isTrue();
        assertThat(breaker.lets()).isTrue();
        assertThat(breaker.isClosed()).isTrue();
    }
}
