package dev.semel.redis.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The circuit breaker")
class CircuitBreakerTest {

    private final ManualTime time = new ManualTime();
    private final CircuitBreaker breaker = new CircuitBreaker(time::nanos);

    private void failures(int count) {
        for (int i = 0; i < count; i++) {
            breaker.onFailure();
        }
    }

    @Test
    @DisplayName("stays closed while successes interrupt the failures")
    void not_in_a_row() {
        for (int i = 0; i < 10; i++) {
            failures(2);
            assertThat(breaker.tryAcquire()).isTrue();
            assertThat(breaker.onSuccess()).isFalse();
        }
    }

    @Test
    @DisplayName("opens after three failures in a row, and lets one call a second through until one succeeds")
    void in_a_row() {
        failures(2);
        assertThat(breaker.onFailure()).as("reported once").isTrue();
        assertThat(breaker.onFailure()).isFalse();
        assertThat(breaker.isClosed()).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(breaker.tryAcquire()).isFalse();
            time.advance(CircuitBreaker.PAUSE.minus(Duration.ofNanos(1)));
            assertThat(breaker.tryAcquire()).isFalse();
            time.advance(Duration.ofNanos(1));
            assertThat(breaker.tryAcquire()).isTrue();
            assertThat(breaker.tryAcquire()).isFalse();
            breaker.onFailure();
        }
        assertThat(breaker.onSuccess()).as("reported once").isTrue();
        assertThat(breaker.onSuccess()).isFalse();
        assertThat(breaker.tryAcquire()).isTrue();
        assertThat(breaker.tryAcquire()).isTrue();
        assertThat(breaker.isClosed()).isTrue();
    }
}
