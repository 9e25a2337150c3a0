package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("reconciler in a race")
@Timeout(120)
class ReconcilerRaceTest extends UnknownFixture {

    private static final int ROUNDS = 500;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private static Response text(String text) {
        return Response.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<Boolean> atOnce(List<Callable<Boolean>> contenders) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(contenders.size());
        List<Future<Boolean>> running = contenders.stream()
                .map(contender -> threads.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    return contender.call();
                }))
                .toList();
        List<Boolean> won = new ArrayList<>();
        for (Future<Boolean> each : running) {
            won.add(each.get(1, TimeUnit.MINUTES));
        }
        return won;
    }

    private Reconciler asking(Verdict finding) {
        return Reconciler.of(semel.unknownOutcomes())
                .resolve(CHARGE, unknown -> finding, new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 2))
                .build();
    }

    private void raceOfThree(String key, Verdict finding) throws Exception {
        RunningAttempt attempt = ((Claim.Granted) semel.begin(intentOf(CHARGE, key))).attempt();
        attempt.settle(new Outcome.Unknown("timeout"));
        List<Boolean> won = atOnce(List.of(
                () -> semel.settle(CHARGE, id(key), new Verdict.Happened(text("by webhook"), "ch_1"), "webhook")
                        instanceof Reconciliation.Accepted,
                () -> asking(finding).runOnce().resolved() == 1,
                () -> attempt.settle(new Outcome.Completed(text("by itself")))
                                .toCompletableFuture()
                                .join()
                        instanceof Settlement.Settled));
        assertThat(won).as("who won").containsOnlyOnce(true);
        StoredRecord record = onRecord(key);
        List<AuditEntry> history = semel.unknownOutcomes().history(id(key));
        AuditEntry last = history.get(history.size() - 1);
        assertThat(history)
                .extracting(AuditEntry::change)
                .startsWith(Change.GRANTED, Change.SETTLED)
                .hasSize(3);
        assertThat(last.to()).isEqualTo(record.state());
        assertThat(record.evidence()).isNotNull();
        assertThat(record.fence()).isEqualTo(attempt.lease().fence());
        if (won.get(0)) {
            assertThat(record.evidence().source()).isEqualTo("webhook");
            assertThat(replayed(key)).isEqualTo(new Execution.Replayed<>("by webhook"));
        } else if (won.get(2)) {
            assertThat(record.evidence().source()).isEqualTo("late-answer");
            assertThat(replayed(key)).isEqualTo(new Execution.Replayed<>("by itself"));
        } else {
            assertThat(record.evidence().source()).isEqualTo("resolver:charge");
            assertThat(record.state())
                    .isEqualTo(finding instanceof Verdict.DidNotHappen ? State.FAILED_RETRYABLE : State.COMPLETED);
        }
    }

    private Execution<String> replayed(String key) {
        return semel.execute(intentOf(CHARGE, key), Codec.text(), attempt -> "executed again");
    }

    @Test
    @DisplayName("I6: of a webhook, the daemon and the late answer exactly one settles the outcome")
    void three_at_once() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            raceOfThree("found-" + round, FOUND);
            raceOfThree("not-found-" + round, NOT_FOUND);
        }
    }
}
