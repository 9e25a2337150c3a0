package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Identity;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("counters")
class CountersTest extends Fixture {

    private static final Duration FIRST = Duration.ofSeconds(10);

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final SemelEngine semel =
            SemelEngine.on(store).timer(time).listener(events::add).build();

    private final Counters counters = new Counters();

    /** Counts every event of the engine. */
    private Map<String, Long> counted() {
        events.forEach(counters::on);
        return counters.snapshot().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().toString(), Map.Entry::getValue, Long::sum, LinkedHashMap::new));
    }

    @Test
    void requests_are_counted_by_their_result() {
        Operation refund = Operation.named("refund");
        execute(semel, "a");
        execute(semel, "a");
        semel.execute(intent(refund, "acme", "b", "100 EUR"), Codec.text(), attempt -> "refunded");
        assertThatThrownBy(() -> semel.execute(intent("c"), Codec.text(), attempt -> {
                    throw new NotExecutedException("busy");
                }))
                .isInstanceOf(NotExecutedException.class);
        execute(semel, "c");
        semel.begin(intent("d"));
        execute(semel, "d");
        becomeUnknown(semel, "e");
        execute(semel, "e");
        semel.begin(intent(CHARGE, "acme", "a", "200 EUR"));
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> execute(semel, "f")).isInstanceOf(StoreException.class);
        assertThat(counted())
                .containsExactly(
                        Map.entry("api.idempotency.reserve.created{charge}", 4L),
                        Map.entry("api.idempotency.reserve.created{refund}", 1L),
                        Map.entry("api.idempotency.reserve.failed_retry{charge}", 1L),
                        Map.entry("api.idempotency.reserve.in_progress{charge}", 1L),
                        Map.entry("api.idempotency.reserve.key_misuse{charge}", 1L),
                        Map.entry("api.idempotency.reserve.replay{charge}", 1L),
                        Map.entry("api.idempotency.reserve.unknown{charge}", 1L),
                        Map.entry("api.idempotency.store.error{charge}", 1L));
        assertThat(counters.of(Counters.CREATED)).isEqualTo(5);
        assertThat(counters.of(Counters.CREATED, "refund")).isEqualTo(1);
        assertThat(counters.of(Counters.ZOMBIE_KEY, "refund")).isZero();
    }

    @Test
    void reconciliation_and_pruning_are_counted() {
        semel.begin(intent("vanished"));
        store.down();
        time.advance(CHARGE.lease().multipliedBy(2));
        store.up();
        becomeUnknown(semel, "pending");
        becomeUnknown(semel, "broken");
        store.failNext(Verb.DUE, Fault.REFUSED);
        ReconcilePolicy twice = new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 2);
        Reconciler reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(
                        CHARGE,
                        unknown -> switch (unknown.identity().key().value()) {
                            case "vanished" -> Verdict.happened(Codec.text(), "found", "charge ch_1");
                            case "pending" -> new Verdict.CannotTellYet("pending");
                            default -> throw new IllegalStateException("injected");
                        },
                        twice)
                .batch(10)
                .answerWithin(Duration.ofSeconds(6))
                .build();
        reconciler.runOnce();
        reconciler.runOnce();
        time.advance(FIRST);
        reconciler.runOnce();
        semel.unknownOutcomes().requeue(Identity.of("acme", "pending"), new Evidence("person:alice", "ticket 7"));
        time.advance(Duration.ofDays(2));
        semel.prune(Expiry.DELETE);
        assertThat(counted())
                .containsAllEntriesOf(Map.of(
                        "api.idempotency.zombie_key{charge}", 1L,
                        "api.idempotency.reconcile.resolved{charge}", 1L,
                        "api.idempotency.reconcile.scheduled{charge}", 3L,
                        "api.idempotency.reconcile.failed{charge}", 4L,
                        "api.idempotency.ttl_pruned", 1L))
                .containsKey("api.idempotency.store.error");
    }

    @Test
    void a_listener_counts_from_many_threads() throws Exception {
        try (SemelEngine listened =
                SemelEngine.on(memory).timer(time).listener(counters).build()) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                String prefix = "t" + i + "-";
                threads[i] = new Thread(() -> {
                    for (int n = 0; n < 500; n++) {
                        listened.begin(intent(prefix + n));
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(counters.of(Counters.CREATED)).isEqualTo(2000);
        }
    }
}
