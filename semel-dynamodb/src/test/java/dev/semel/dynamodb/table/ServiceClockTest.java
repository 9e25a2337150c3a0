package dev.semel.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("DynamoDB: the clock of the service")
class ServiceClockTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    /** The time that passes in this process; its start is not that of the service. */
    private final ManualTime process = new ManualTime();

    private final ServiceClock clock = new ServiceClock(process::nanos);

    @BeforeEach
    void set() {
        hear(START);
        hear(START);
        assertThat(clock.isSet()).isFalse();
        hear(START);
        assertThat(clock.now()).isEqualTo(START);
    }

    private ServiceClock.Moment hear(Instant date) {
        return clock.heard(date, clock.elapsed());
    }

    private void pass(Duration duration) {
        process.advance(duration);
    }

    @Test
    @DisplayName("a clock that has heard nothing tells no time")
    void unset() {
        ServiceClock deaf = new ServiceClock(process::nanos);
        assertThatThrownBy(deaf::now).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("between answers, the time that passes in this process carries it on")
    void carried_on() {
        pass(Duration.ofMillis(12_345));
        assertThat(clock.now()).isEqualTo(START.plusMillis(12_345));
    }

    @Test
    @DisplayName("answers within a second make it more exact, and never put it ahead of the service")
    void more_exact() {
        // The service is at 12:00:00.900 when the process has heard 12:00:00.
        Instant service = START.plusMillis(900);
        pass(Duration.ofMillis(150));
        service = service.plusMillis(150);
        hear(START.plusSeconds(1));
        assertThat(Duration.between(clock.now(), service)).isBetween(Duration.ZERO, Duration.ofMillis(50));
    }

    @Test
    @DisplayName("I10: one answer that is a day ahead neither moves the clock nor lets time run out")
    void one_wrong_answer() {
        pass(Duration.ofSeconds(1));
        ServiceClock.Moment moment = hear(START.plus(Duration.ofDays(1)));
        assertThat(moment.decisive()).isEqualTo(START.plusSeconds(1));
        assertThat(clock.now()).isEqualTo(START.plusSeconds(1));
        hear(START.plusSeconds(1));
        hear(START.plus(Duration.ofDays(1)));
        hear(START.plus(Duration.ofDays(1)));
        assertThat(clock.now()).isEqualTo(START.plusSeconds(1));
    }

    @Test
    @DisplayName("answers that contradict each other as well as the clock move nothing")
    void disagreeing_answers() {
        for (int i = 1; i <= 10; i++) {
            hear(START.plus(Duration.ofHours(i)));
        }
        assertThat(clock.now()).isEqualTo(START);
    }

    @Test
    @DisplayName("three answers in a row that agree set it anew, forwards and backwards")
    void confirmed() {
        for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-1)}) {
            Instant there = START.plus(jump);
            hear(there);
            hear(there);
            hear(there);
            assertThat(clock.now()).isEqualTo(there);
        }
    }

    @Test
    @DisplayName("I10: a process whose oscillator is fast decides by the answer, not by its own time")
    void fast_oscillator() {
        pass(Duration.ofHours(24).plusSeconds(4));
        ServiceClock.Moment moment = hear(START.plus(Duration.ofHours(24)));
        assertThat(moment.decisive()).isEqualTo(START.plus(Duration.ofHours(24)).plusSeconds(1));
        pass(Duration.ofMinutes(2));
        hear(START.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(2)));
        pass(Duration.ofMinutes(2));
        hear(START.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(4)));
        assertThat(clock.now()).isEqualTo(START.plus(Duration.ofHours(24)).plus(Duration.ofMinutes(4)));
    }

    @Test
    @DisplayName("an answer that took long says nothing against the clock")
    void slow_answer() {
        long sent = clock.elapsed();
        pass(Duration.ofSeconds(30));
        for (int i = 0; i < 5; i++) {
            clock.heard(START, sent);
        }
        assertThat(clock.now()).isEqualTo(START.plusSeconds(30));
    }
}
