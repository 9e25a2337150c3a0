package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.Reconciler.RunReport;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.Verdict;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Two reconcilers in two processes share many unknown outcomes: each is asked about once and resolved by exactly one of
 * them, and none is skipped.
 */
public final class ReconcilerScenario {

    private static final Operation OPERATION = Operation.named("shared");

    /** Long enough that no reconciler gets a record on which another still works, however slow the machine is. */
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(10);

    /** The number of records that are created at a time, so that a store can commit them in groups. */
    private static final int AT_ONCE = 500;

    private ReconcilerScenario() {}

    /** Runs it on the two handles of an empty store, with this many records. */
    public static void twoShareTheWork(StoreHarness harness, int records) throws Exception {
        List<Identity> identities = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            identities.add(Identity.of("acme", "unknown-" + i));
        }
        for (int i = 0; i < records; i += AT_ONCE) {
            makeUnknown(harness.store(), identities.subList(i, Math.min(records, i + AT_ONCE)));
        }
        ConcurrentMap<Identity, LongAdder> asked = new ConcurrentHashMap<>();
        Queue<Event.Reconciled> settled = new ConcurrentLinkedQueue<>();
        List<RunReport> reports = atOnce(List.of(harness.store(), harness.another()), asked, settled);

        assertThat(reports).extracting(RunReport::storeFaults).containsOnly(0);
        assertThat(reports.stream().mapToInt(RunReport::resolved).sum()).isEqualTo(records);
        assertThat(asked).hasSize(records);
        assertThat(asked.values()).as("how often each was asked about").allMatch(count -> count.sum() == 1);
        assertThat(settled).extracting(Event.Reconciled::identity).containsExactlyInAnyOrderElementsOf(identities);
        for (Identity identity : identities) {
            StoredRecord record = await(harness.store().find(identity)).orElseThrow();
            assertThat(record.state()).isEqualTo(State.COMPLETED);
        }
    }

    private static void makeUnknown(Store store, List<Identity> identities) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Identity identity : identities) {
            ClaimRequest request = new ClaimRequest(
                    identity,
                    OPERATION.name(),
                    new Fingerprint("v1:meant"),
                    OPERATION.lease(),
                    false,
                    identity.key().value());
            all.add(store.claim(request)
                    .thenCompose(answer -> store.settle(
                            ((ClaimAnswer.Granted) answer).lease(),
                            new Outcome.Unknown("timeout"),
                            OPERATION.retention()))
                    .toCompletableFuture());
        }
        all.forEach(CompletableFuture::join);
    }

    private static List<RunReport> atOnce(
            List<Store> handles, ConcurrentMap<Identity, LongAdder> asked, Queue<Event.Reconciled> settled)
            throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(handles.size());
        ExecutorService threads = Executors.newFixedThreadPool(handles.size());
        try {
            List<Future<RunReport>> running = new ArrayList<>();
            for (Store handle : handles) {
                running.add(threads.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    return reconciler(handle, asked, settled).runOnce();
                }));
            }
            List<RunReport> reports = new ArrayList<>();
            for (Future<RunReport> each : running) {
                reports.add(each.get(10, TimeUnit.MINUTES));
            }
            return reports;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The engine is not closed: that would close the store, which belongs to the harness. */
    private static Reconciler reconciler(
            Store handle, ConcurrentMap<Identity, LongAdder> asked, Queue<Event.Reconciled> settled) {
        SemelEngine semel = SemelEngine.on(handle)
                .listener(event -> {
                    if (event instanceof Event.Reconciled reconciled) {
                        settled.add(reconciled);
                    }
                })
                .build();
        return Reconciler.of(semel.unknownOutcomes())
                .resolve(OPERATION, unknown -> {
                    asked.computeIfAbsent(unknown.identity(), identity -> new LongAdder())
                            .increment();
                    return Verdict.happened(Codec.text(), "found", "ch_1");
                })
                .answerWithin(ANSWER_WITHIN)
                .build();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
