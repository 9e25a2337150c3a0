package dev.semel.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.benchmarks.suite.Progress;
import dev.semel.benchmarks.suite.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A load")
@Timeout(300)
class LoadTest {

    private static final Duration SLICE = Duration.ofMillis(30);

    /** Counts what is under way, and the most that ever was. */
    private static final class Gauge {
        final AtomicInteger now = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();

        void enter() {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
        }

        void leave() {
            now.decrementAndGet();
            ended.incrementAndGet();
        }
    }

    @Test
    void of_blocking_callers_counts_every_call_and_keeps_to_its_number() throws Exception {
        Gauge gauge = new Gauge();
        Slice slice = new BlockingLoad(3, () -> {
                    gauge.enter();
                    Thread.yield();
                    gauge.leave();
                })
                .run(SLICE);

        assertThat(slice.calls()).isEqualTo(gauge.ended.get()).isPositive();
        assertThat(gauge.most.get()).isLessThanOrEqualTo(3);
        assertThat(gauge.now).hasValue(0);
    }

    @Test
    void of_asynchronous_calls_counts_every_call_and_keeps_to_its_number() throws Exception {
        Gauge gauge = new Gauge();
        ExecutorService answering = Executors.newFixedThreadPool(2);
        try {
            Slice slice = new AsyncLoad(7, () -> {
                        gauge.enter();
                        return CompletableFuture.runAsync(gauge::leave, answering);
                    })
                    .run(SLICE);

            assertThat(slice.calls()).isEqualTo(gauge.ended.get()).isPositive();
            assertThat(gauge.most.get()).isLessThanOrEqualTo(7);
        } finally {
            answering.shutdownNow();
        }
    }

    @Test
    void of_asynchronous_calls_that_are_answered_at_once_does_not_exhaust_the_stack() throws Exception {
        Slice slice = new AsyncLoad(2, () -> CompletableFuture.completedFuture("done")).run(Duration.ofMillis(200));

        assertThat(slice.calls()).isPositive();
    }

    @Test
    void that_is_paced_makes_the_calls_that_are_due_and_counts_the_time_they_were_late() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Slice slice = new PacedLoad(1, 1_000, () -> {
                    // The first call holds the others up.
                    if (calls.getAndIncrement() == 0) {
                        LockSupport.parkNanos(50_000_000);
                    }
                })
                .run(Duration.ofMillis(100));

        assertThat(slice.calls()).isEqualTo(100);
        assertThat(slice.latency().getCountBetweenValues(5_000_000, Long.MAX_VALUE / 2))
                .as("calls that were due while the first one held them up")
                .isGreaterThan(20);
    }

    @Test
    void that_fails_ends_the_run_with_the_failure() {
        assertThatThrownBy(() -> new BlockingLoad(2, () -> {
                            throw new IllegalStateException("broken");
                        })
                        .run(SLICE))
                .hasMessage("broken");
        assertThatThrownBy(() -> new AsyncLoad(
                                2, () -> CompletableFuture.failedFuture(new IllegalStateException("broken")))
                        .run(SLICE))
                .hasMessageContaining("broken");
    }

    @Test
    void takes_turns_with_others_and_each_round_begins_with_another_one() throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Settings settings = new Settings(SLICE, 3, List.of(), List.of());
        StringWriter said = new StringWriter();
        Contest contest = new Rounds(settings, new Progress(new PrintWriter(said), false))
                .run("turns", "a", List.of(named("a", order, 10), named("b", order, 20), named("c", order, 40)));

        assertThat(String.join("", order)).isEqualTo("aaabbbccc" + "abc" + "bca" + "cab");
        assertThat(contest.of("b")).hasSize(3);
        assertThat(contest.ratio("c", "a").median()).isEqualTo(4);
        assertThat(contest.perSecond("b").median()).isEqualTo(20);
        assertThat(said.toString()).contains("turns: round 3 of 3: a 10/s, b 20/s, c 40/s");
    }

    @Test
    void that_answers_nothing_is_no_figure() {
        Settings settings = new Settings(SLICE, 1, List.of(), List.of());
        Rounds rounds = new Rounds(settings, new Progress(new PrintWriter(Writer.nullWriter()), false));

        assertThatThrownBy(() -> rounds.run(
                        "nothing", "a", List.of(new Contender("a", length -> new Slice(0, 1, Slice.newHistogram())))))
                .hasMessageContaining("a failed: no call was answered");
    }

    private static Contender named(String name, List<String> order, long calls) {
        return new Contender(name, length -> {
            order.add(name);
            Histogram latency = Slice.newHistogram();
            latency.recordValueWithCount(1_000_000, calls);
            return new Slice(calls, 1, latency);
        });
    }
}
