package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.Replay;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a replay check")
class ReplayCheckTest extends NearFixture {

    private static final Refusal FORBIDDEN = new Refusal.ReplayForbidden(true);
    private static final Refusal UNDECIDED = new Refusal.ReplayForbidden(false);
    private static final Operation PATIENT = CHARGE.waitUpTo(Duration.ofSeconds(5));

    private final List<Replay> asked = new ArrayList<>();

    private Intent guarded(Operation operation, ReplayCheck check) {
        return intent(operation).guardedBy(new Guard(check, "the request", "bob"));
    }

    private ReplayCheck answering(boolean allowed) {
        return ReplayCheck.of(replay -> {
            asked.add(replay);
            return allowed;
        });
    }

    private Intent refusing() {
        return guarded(CHARGE, answering(false));
    }

    private List<AuditEntry> refusals() {
        return memory.history(ID).stream()
                .filter(entry -> entry.change() == Change.REPLAY_REFUSED)
                .toList();
    }

    /** Entries are written in order: when that of another key is there, those before it are. */
    private void awaitEarlierEntries(SemelEngine engine) {
        Identity other = Identity.of("acme", "other of " + System.identityHashCode(engine));
        Intent intent =
                Intent.of(CHARGE, other.scope(), other.key(), intent(CHARGE).fingerprint());
        engine.execute(intent, Codec.text(), attempt -> "");
        engine.begin(intent.guardedBy(new Guard(answering(false), "", "bob")));
        await().until(() -> memory.history(other).size() == 3);
    }

    @Test
    void that_takes_too_long_refuses_for_now() {
        execute(CHARGE);
        CompletableFuture<Boolean> never = new CompletableFuture<>();
        CompletableFuture<Claim> claim =
                semel.beginAsync(guarded(CHARGE, replay -> never)).toCompletableFuture();
        assertThat(claim).isNotDone();
        time.advance(ReplayCheck.LONGEST);
        assertThat(claim).isCompletedWithValue(new Claim.Refused(UNDECIDED));
    }

    @Test
    void is_not_asked_before_an_execution() {
        assertThat(semel.execute(refusing(), Codec.text(), attempt -> "charged"))
                .isInstanceOf(Execution.Ran.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void sees_request_caller_and_record_before_a_replay() {
        execute(CHARGE);
        time.advance(Duration.ofHours(1));
        Intent intent = guarded(Operation.named("refund"), answering(true));
        assertThat(semel.execute(intent, Codec.text(), attempt -> "")).isEqualTo(new Execution.Replayed<>("charged 1"));
        assertThat(asked)
                .containsExactly(new Replay(
                        "charge", ID, "the request", "bob", new Intent.Recorded(1, Duration.ofHours(1)), true));
    }

    @Test
    void that_refuses_leaves_the_caller_without_the_result_and_the_record_as_it_was() {
        execute(CHARGE);
        Claim claim = semel.begin(refusing());
        assertThat(claim).isEqualTo(new Claim.Refused(FORBIDDEN));
        assertThatThrownBy(() -> semel.execute(refusing(), Codec.text(), attempt -> "again")
                        .orThrow())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("may not have its result");
        assertThat(executions).isEqualTo(1);
        assertThat(onRecord().state()).isEqualTo(State.COMPLETED);
        assertThat(events).contains(new Event.ReplayRefused("charge", ID, true));
        assertThat(execute(CHARGE)).isEqualTo(new Execution.Replayed<>("charged 1"));
    }

    @Test
    void is_asked_for_recorded_failures_too() {
        assertThatThrownBy(() -> execute(CHARGE, attempt -> {
                    throw new IllegalStateException("secret");
                }))
                .hasMessage("secret");
        assertThat(semel.execute(refusing(), Codec.text(), attempt -> ""))
                .isEqualTo(new Execution.Refused<>(FORBIDDEN));
    }

    @Test
    void is_asked_for_replays_from_memory_too() {
        executeNear();
        assertThat(near.begin(refusing())).isEqualTo(new Claim.Refused(FORBIDDEN));
        assertThat(near.beginAsync(refusing())).isCompletedWithValue(new Claim.Refused(FORBIDDEN));
        assertThat(asked).extracting(Replay::mayBlock).containsExactly(true, false);
    }

    @Test
    void is_asked_for_duplicates_that_waited_too() {
        RunningAttempt first = ((Claim.Granted) semel.begin(intent(PATIENT))).attempt();
        CompletableFuture<Claim> waiting =
                semel.beginAsync(guarded(PATIENT, answering(false))).toCompletableFuture();
        first.settle(new Outcome.Completed(Response.of(new byte[] {7})));
        time.advance(Duration.ofSeconds(2));
        assertThat(waiting).isCompletedWithValue(new Claim.Refused(FORBIDDEN));
    }

    @Test
    void is_asked_in_transactions_too() {
        FakeDatabase database = new FakeDatabase(memory);
        try (SemelEngine transactional = SemelEngine.on(database).timer(time).build()) {
            execute(CHARGE);
            assertThat(transactional.executeInTransaction(
                            database.dataSource(), refusing(), Codec.text(), (connection, attempt) -> "again"))
                    .isEqualTo(new Execution.Refused<>(FORBIDDEN));
            // The connection is given back before the check is asked.
            assertThat(database.calls).endsWith("commit", "autoCommit true", "close");
        }
    }

    @Test
    void comes_after_the_fingerprint() {
        execute(CHARGE);
        Intent other = intent(CHARGE, "200 EUR").guardedBy(new Guard(answering(false), "", null));
        assertThat(semel.begin(other)).isEqualTo(new Claim.Refused(new Refusal.Mismatch()));
        assertThat(asked).isEmpty();
    }

    @Test
    void that_fails_refuses_for_now_and_executes_nothing() {
        execute(CHARGE);
        List<ReplayCheck> failing = List.of(
                replay -> {
                    throw new IllegalStateException("authorization is down");
                },
                replay -> CompletableFuture.failedFuture(new IllegalStateException("authorization is down")),
                replay -> CompletableFuture.completedFuture(null),
                replay -> null);
        for (ReplayCheck check : failing) {
            assertThat(semel.begin(guarded(CHARGE, check))).isEqualTo(new Claim.Refused(UNDECIDED));
            assertThat(semel.beginAsync(guarded(CHARGE, check))).isCompletedWithValue(new Claim.Refused(UNDECIDED));
        }
        assertThat(events).contains(new Event.ReplayRefused("charge", ID, false));
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void may_answer_later_without_blocking() {
        execute(CHARGE);
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        CompletableFuture<Claim> claim =
                semel.beginAsync(guarded(CHARGE, replay -> answer)).toCompletableFuture();
        assertThat(claim).isNotDone();
        answer.complete(true);
        assertThat(claim).isCompletedWithValueMatching(Claim.Recorded.class::isInstance);
    }

    @Test
    void that_blocks_runs_on_the_callers_thread_or_on_its_executor() {
        execute(CHARGE);
        AtomicReference<Thread> ran = new AtomicReference<>();
        ReplayCheck check = ReplayCheck.blocking(
                replay -> {
                    ran.set(Thread.currentThread());
                    return true;
                },
                ForkJoinPool.commonPool());
        semel.begin(guarded(CHARGE, check));
        assertThat(ran).hasValue(Thread.currentThread());
        semel.beginAsync(guarded(CHARGE, check)).toCompletableFuture().join();
        assertThat(ran.get()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void can_be_combined_with_another() {
        execute(CHARGE);
        ReplayCheck both = answering(true).and(answering(false));
        assertThat(semel.begin(guarded(CHARGE, both))).isEqualTo(new Claim.Refused(FORBIDDEN));
        assertThat(asked).hasSize(2);
        assertThat(semel.begin(guarded(CHARGE, answering(false).and(answering(true)))))
                .isEqualTo(new Claim.Refused(FORBIDDEN));
        assertThat(asked).hasSize(3);
    }

    @Test
    void a_caller_that_has_gone_gets_no_lease_for_ever() {
        RunningAttempt first = ((Claim.Granted) semel.begin(intent(PATIENT))).attempt();
        CompletableFuture<Claim> waiting =
                semel.beginAsync(guarded(PATIENT, answering(true))).toCompletableFuture();
        waiting.cancel(false);
        first.settle(new Outcome.NotExecuted("full"));
        time.advance(Duration.ofSeconds(2));
        assertThat(onRecord().state()).isEqualTo(State.FAILED_RETRYABLE);
    }

    @Test
    void is_asked_without_a_record_where_the_answer_must_not_depend_on_one() {
        assertThat(semel.askGuard(refusing(), true)).isCompletedWithValueMatching(found -> found.isPresent());
        assertThat(semel.askGuard(intent(CHARGE), true)).isCompletedWithValueMatching(found -> found.isEmpty());
        assertThat(asked).containsExactly(new Replay("charge", ID, "the request", "bob", null, true));
    }

    @Test
    void leaves_an_entry_in_the_audit_that_names_the_caller() {
        execute(CHARGE);
        semel.begin(refusing());
        await().until(() -> refusals().size() == 1);
        assertThat(refusals().get(0).who()).isEqualTo("replay-check");
        assertThat(refusals().get(0).why()).isEqualTo("bob");
        semel.askGuard(refusing(), true);
        await().until(() -> refusals().size() == 2);
    }

    @Test
    void a_caller_that_asks_over_and_over_does_not_make_the_audit_grow_without_end() {
        execute(CHARGE);
        for (int i = 0; i < 50; i++) {
            semel.begin(refusing());
        }
        await().until(() -> refusals().size() == ReplayAudit.MOST_ENTRIES);
        try (SemelEngine restarted = SemelEngine.on(memory).timer(time).build()) {
            for (SemelEngine engine : List.of(semel, restarted)) {
                engine.begin(refusing());
                awaitEarlierEntries(engine);
            }
        }
        assertThat(refusals()).hasSize(ReplayAudit.MOST_ENTRIES);
        assertThat(events.stream().filter(Event.ReplayRefused.class::isInstance))
                .hasSize(52);
    }
}
