package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.observability.Counters;
import dev.semel.reconcile.Evidence;
import dev.semel.Retention.Expiry;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.StoreException;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.testkit.FaultyStore.Fault;
import dev.semel.testkit.FaultyStore.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("counters")
class CountersTest extends UnknownFixture {

    private final Counters counters = new Counters();

    /** What the fixture's list has heard, the counters hear too. */
    private Map<String, Long> counted() {
        events.forEach(counters::on);
        return counters.snapshot().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().toString(), Map.Entry::getValue, Long::sum, LinkedHashMap::new));
    }

    @Test
    void requests_are_counted_by_what_became_of_them() {
        Operation refund = Operation.named("refund");
        retry(CHARGE, "a");
        retry(CHARGE, "a");
        retry(refund, "b");
        assertThatThrownBy(() -> semel.execute(intentOf(CHARGE, "c"), Codec.text(), attempt -> {
                    throw new NotExecutedException("busy");
                }))
                .isInstanceOf(NotExecutedException.class);
        retry(CHARGE, "c");
        semel.begin(intentOf(CHARGE, "d"));
        retry(CHARGE, "d");
        becomeUnknown("e");
        retry(CHARGE, "e");
        semel.begin(Intent.of(CHARGE, ID.scope(), id("a").key(), new Fingerprint("v1:something-else")));
        store.failNext(Verb.CLAIM, Fault.REFUSED);
        assertThatThrownBy(() -> retry(CHARGE, "f")).isInstanceOf(StoreException.class);
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
    void the_search_for_evidence_and_pruning_are_counted() {
        semel.begin(intentOf(CHARGE, "vanished"));
        store.down();
        time.advance(LEASE.multipliedBy(2));
        store.up();
        becomeUnknown("pending");
        becomeUnknown("broken");
        store.failNext(Verb.DUE, Fault.REFUSED);
        ReconcilePolicy twice = new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 2);
        Reconciler reconciler = reconciler(
                unknown -> switch (unknown.identity().key().value()) {
                    case "vanished" -> FOUND;
                    case "pending" -> PENDING;
                    default -> throw new IllegalStateException("injected");
                },
                twice);
        reconciler.runOnce();
        reconciler.runOnce();
        time.advance(FIRST);
        reconciler.runOnce();
        semel.unknownOutcomes().requeue(id("pending"), new Evidence("person:alice", "ticket 7"));
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
        try (Semel listened = Semel.on(memory).timer(time).listener(counters).build()) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                String prefix = "t" + i + "-";
                threads[i] = new Thread(() -> {
                    for (int n = 0; n < 500; n++) {
                        listened.begin(intentOf(CHARGE, prefix + n));
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
