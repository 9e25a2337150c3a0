package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.Verdict;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("gauges of unknown outcomes")
class UnknownGaugesTest extends Fixture {

    private static final Duration EVERY = Duration.ofSeconds(30);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final Queue<Runnable> queries = new ArrayDeque<>();
    private final Counters counters = new Counters();
    private final SemelEngine semel =
            SemelEngine.on(store).timer(time).listener(counters).build();

    private void bind() {
        new UnknownGauges(semel.unknownOutcomes(), EVERY, queries::add).bindTo(registry);
    }

    private void answer() {
        queries.remove().run();
    }

    private double unknown() {
        return registry.get(UnknownGauges.UNKNOWN).gauge().value();
    }

    private double deadLetters() {
        return registry.get(UnknownGauges.DEAD_LETTERS).gauge().value();
    }

    @Test
    void report_the_count_of_the_store() {
        becomeUnknown(semel, "a");
        becomeUnknown(semel, "b");
        semel.unknownOutcomes()
                .deadLetter(
                        semel.unknownOutcomes().due("charge", 1, EVERY).get(0), new Evidence("resolver", "no answer"));
        bind();
        assertThat(unknown()).isNaN();
        answer();
        assertThat(unknown()).isEqualTo(2);
        assertThat(deadLetters()).isEqualTo(1);
        semel.settle(CHARGE, Identity.of("acme", "a"), new Verdict.DidNotHappen("looked"), "person");
        clock.add(EVERY);
        assertThat(unknown()).as("a read does not wait").isEqualTo(2);
        answer();
        assertThat(unknown()).isEqualTo(1);
    }

    @Test
    void query_once_in_an_interval_and_never_concurrently() {
        bind();
        assertThat(queries).hasSize(1);
        clock.add(EVERY.multipliedBy(2));
        unknown();
        assertThat(queries).as("one query is running").hasSize(1);
        answer();
        unknown();
        deadLetters();
        assertThat(queries).hasSize(1);
        answer();
        clock.add(EVERY.minusNanos(1));
        unknown();
        deadLetters();
        assertThat(queries).isEmpty();
        clock.add(Duration.ofNanos(1));
        unknown();
        assertThat(queries).hasSize(1);
    }

    @Test
    void keep_the_last_count_for_three_failed_intervals_and_are_then_not_a_number() {
        becomeUnknown(semel, "a");
        bind();
        answer();
        store.down();
        for (int i = 0; i < 3; i++) {
            clock.add(EVERY);
            assertThat(unknown()).isEqualTo(1);
            answer();
        }
        assertThat(counters.of(Counters.STORE_ERROR)).isEqualTo(3);
        clock.add(EVERY);
        assertThat(unknown()).isNaN();
        answer();
        store.up();
        clock.add(EVERY);
        assertThat(unknown()).isNaN();
        answer();
        assertThat(unknown()).isEqualTo(1);
    }

    @Test
    void are_current_also_when_they_are_read_rarely() {
        becomeUnknown(semel, "a");
        bind();
        answer();
        clock.add(EVERY.multipliedBy(10));
        assertThat(unknown()).isEqualTo(1);
    }

    @Test
    void count_more_than_one_page() {
        for (int i = 0; i < 2500; i++) {
            becomeUnknown(semel, "k" + i);
        }
        bind();
        answer();
        assertThat(unknown()).isEqualTo(2500);
    }

    @Test
    void query_on_their_own_thread_by_default() {
        becomeUnknown(semel, "a");
        new UnknownGauges(semel.unknownOutcomes(), EVERY).bindTo(registry);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(unknown()).isEqualTo(1));
    }

    @Test
    void require_an_interval() {
        assertThatThrownBy(() -> new UnknownGauges(semel.unknownOutcomes(), Duration.ZERO))
                .hasMessageContaining("must be positive");
    }
}
