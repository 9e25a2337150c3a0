package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.key.KeyHygiene;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("metrics")
class SemelMetricsTest extends Fixture {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Counters counters = new Counters();
    private final SemelMetrics metrics = new SemelMetrics(registry);
    private final SemelEngine semel = SemelEngine.on(store)
            .timer(time)
            .listener(metrics)
            .listener(counters)
            .build();

    private double count(String name) {
        return registry.get(name).tag("operation", "charge").counter().count();
    }

    private Timer timer(String name, String outcome) {
        return registry.get(name)
                .tag("operation", "charge")
                .tag("outcome", outcome)
                .timer();
    }

    private static double seconds(Timer timer) {
        return timer.totalTime(TimeUnit.SECONDS);
    }

    private double ratio() {
        return registry.get(SemelMetrics.REPLAY_RATIO).gauge().value();
    }

    @Test
    void have_the_names_and_values_of_the_counters() {
        execute(semel, "a");
        execute(semel, "a");
        semel.begin(intent(CHARGE, "acme", "a", "200 EUR"));
        semel.begin(intent("b"));
        semel.begin(intent("b"));
        time.advance(Duration.ofSeconds(5));
        becomeUnknown(semel, "c");
        semel.begin(intent("c"));
        assertThatThrownBy(() -> semel.execute(intent("d"), Codec.text(), attempt -> {
                    throw new NotExecutedException("closed");
                }))
                .isInstanceOf(NotExecutedException.class);
        execute(semel, "d");
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> semel.begin(intent("e"))).isInstanceOf(StoreException.class);
        store.failNext(Verb.PRUNE, Fault.REFUSED);
        assertThatThrownBy(() -> semel.prune(Expiry.DELETE)).isInstanceOf(StoreException.class);
        time.advance(Duration.ofDays(3));
        assertThat(semel.prune(Expiry.DELETE)).isEqualTo(2);

        assertThat(counters.snapshot())
                .hasSize(9)
                .allSatisfy((counter, count) -> assertThat(registry.get(counter.name())
                                .tag("operation", counter.operation().isEmpty() ? "none" : counter.operation())
                                .counter()
                                .count())
                        .as(counter.toString())
                        .isEqualTo(count.doubleValue()));
    }

    @Test
    void counters_start_at_zero_with_the_first_event_of_an_operation() {
        execute(semel, "a");
        assertThat(count(Counters.KEY_MISUSE)).isZero();
        assertThat(count(Counters.RECONCILE_FAILED)).isZero();
    }

    @Test
    void the_time_of_a_claim_includes_the_wait_for_a_running_attempt() {
        RunningAttempt running = ((Claim.Granted) semel.begin(intent("a"))).attempt();
        time.after(Duration.ofMillis(1200), () -> running.settle(new Outcome.Completed(Response.of(new byte[0]))));
        semel.begin(intent(CHARGE.waitUpTo(Duration.ofSeconds(10)), "acme", "a", "100 EUR"));
        assertThat(timer(SemelMetrics.CLAIM, "granted").count()).isEqualTo(1);
        assertThat(seconds(timer(SemelMetrics.CLAIM, "granted"))).isZero();
        assertThat(seconds(timer(SemelMetrics.CLAIM, "replayed"))).isBetween(1.2, 1.8);
    }

    @Test
    void execution_and_settlement_are_timed_separately() {
        RunningAttempt running = ((Claim.Granted) semel.begin(intent("a"))).attempt();
        time.advance(Duration.ofSeconds(7));
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        store.failNext(Verb.SETTLE, Fault.REFUSED);
        CompletionStage<Settlement> settled = running.settle(new Outcome.Completed(Response.of(new byte[0])));
        time.advance(Duration.ofSeconds(2));
        assertThat(settled.toCompletableFuture()).isCompleted();
        assertThat(seconds(timer(SemelMetrics.EXECUTION, "completed"))).isEqualTo(7.0);
        assertThat(seconds(timer(SemelMetrics.SETTLE, "completed")))
                .isGreaterThan(0)
                .isLessThan(2);
        assertThat(count(Counters.STORE_ERROR)).isEqualTo(2);
    }

    @Test
    void a_lost_lease_is_an_outcome() {
        semel.begin(intent("a"));
        metrics.on(new Event.LeaseLost(
                "charge", Identity.of("acme", "a"), 1, Duration.ofSeconds(40), Duration.ofSeconds(1)));
        assertThat(seconds(timer(SemelMetrics.EXECUTION, "lease_lost"))).isEqualTo(40.0);
        assertThat(seconds(timer(SemelMetrics.SETTLE, "lease_lost"))).isEqualTo(1.0);
    }

    @Test
    void replays_from_memory_have_their_own_outcome() {
        SemelEngine near = SemelEngine.on(store)
                .timer(time)
                .listener(metrics)
                .nearCache(CaffeineNearCache.builder().build())
                .build();
        execute(near, "a");
        execute(near, "a");
        execute(semel, "a");
        assertThat(count(Counters.CACHE_HIT)).isEqualTo(1);
        assertThat(count(Counters.REPLAY)).isEqualTo(2);
        assertThat(timer(SemelMetrics.CLAIM, "replayed_near").count()).isEqualTo(1);
        assertThat(timer(SemelMetrics.CLAIM, "replayed").count()).isEqualTo(1);
    }

    @Test
    void the_replay_ratio_is_relative_to_all_decided_claims() {
        assertThat(ratio()).isNaN();
        execute(semel, "a");
        assertThat(ratio()).isZero();
        execute(semel, "a");
        execute(semel, "a");
        semel.begin(intent(CHARGE, "acme", "a", "200 EUR"));
        assertThat(ratio()).isEqualTo(0.5);
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> semel.begin(intent("b"))).isInstanceOf(StoreException.class);
        assertThat(ratio()).isEqualTo(0.5);
    }

    @Test
    void no_tag_contains_a_key_or_a_scope() {
        execute(semel, "secret-key-0");
        int before = registry.getMeters().size();
        for (int i = 1; i < 100; i++) {
            execute(semel, "secret-key-" + i);
        }
        assertThat(registry.getMeters()).hasSize(before);
        Set<String> tags = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            for (Tag tag : meter.getId().getTags()) {
                tags.add(tag.getKey());
                assertThat(tag.getValue()).doesNotContain("secret").doesNotContain("acme");
            }
        }
        assertThat(tags).containsExactly("finding", "operation", "outcome");
    }

    @Test
    void poor_keys_are_counted_by_operation_and_finding() {
        semel.inspect(CHARGE, Scope.of("acme"), Key.of("jane@example.com"), KeyHygiene.WARN);
        semel.inspect(CHARGE, Scope.of("acme"), Key.of("order-42"), KeyHygiene.REFUSE);
        semel.inspect(CHARGE, Scope.of("acme"), Key.of("order-43"), KeyHygiene.WARN);

        assertThat(registry.find(Counters.KEY_HYGIENE).tag("operation", "charge").counters().stream()
                        .collect(Collectors.toMap(counter -> counter.getId().getTag("finding"), Counter::count)))
                .isEqualTo(Map.of("email_address", 1.0, "low_variety", 2.0, "card_number", 0.0, "phone_number", 0.0));
        assertThat(counters.of(Counters.KEY_HYGIENE, "charge")).isEqualTo(3);
    }

    @Test
    void operations_beyond_the_limit_are_counted_together() {
        for (int i = 0; i < SemelMetrics.MAX_OPERATIONS + 50; i++) {
            metrics.on(new Event.RefusedInProgress("op" + i, Identity.of("s", "k"), Duration.ZERO));
        }
        assertThat(registry.find(Counters.IN_PROGRESS).counters()).hasSize(SemelMetrics.MAX_OPERATIONS + 1);
        assertThat(registry.get(Counters.IN_PROGRESS)
                        .tag("operation", "other")
                        .counter()
                        .count())
                .isEqualTo(50);
    }
}
