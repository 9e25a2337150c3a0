package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("reconciler")
class ReconcilerTest extends UnknownFixture {

    private static final Duration MILLISECOND = Duration.ofMillis(1);

    @Test
    void what_the_provider_has_is_settled_on_its_evidence_and_replayed() {
        becomeUnknown("k");
        assertThat(reconciler(unknown -> FOUND).runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
        assertThat(retry(CHARGE, "k")).isEqualTo(new Execution.Replayed<>("found"));
        assertThat(onRecord("k").evidence()).isEqualTo(new Evidence("resolver:charge", "charge ch_1"));
        assertThat(onRecord("k").retentionRemaining()).isEqualTo(CHARGE.retention());
        assertThat(events(Event.Reconciled.class)).hasSize(1);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void a_decline_is_an_answer_and_every_retry_gets_it() {
        becomeUnknown("k");
        reconciler(unknown -> new Verdict.Failed(new IllegalStateException("card declined"), "ch_2 declined"))
                .runOnce();
        assertThat(onRecord("k").state()).isEqualTo(State.COMPLETED);
        assertThatThrownBy(() -> retry(CHARGE, "k"))
                .isInstanceOfSatisfying(
                        RecordedFailureException.class,
                        failure -> assertThat(failure.type()).isEqualTo("java.lang.IllegalStateException"))
                .hasMessage("card declined");
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void not_found_counts_when_the_settle_window_has_passed_and_not_a_millisecond_before() {
        becomeUnknown("early");
        time.advance(MILLISECOND);
        becomeUnknown("late");
        time.advance(WINDOW.minus(MILLISECOND));
        assertThat(reconciler(unknown -> NOT_FOUND).runOnce()).isEqualTo(report(0, 1, 1, 0, 0, 0));
        assertThat(onRecord("early").state()).isEqualTo(State.FAILED_RETRYABLE);
        assertThat(onRecord("early").evidence()).isEqualTo(new Evidence("resolver:charge", "no such charge"));
        assertThat(onRecord("late").state()).isEqualTo(State.UNKNOWN);
        assertThat(retry(CHARGE, "early")).isInstanceOf(Execution.Ran.class);
        assertThat(retry(CHARGE, "late")).isEqualTo(new Execution.Refused<>(refusalOf("late")));
    }

    private Refusal.OutcomeUnknown refusalOf(String key) {
        return new Refusal.OutcomeUnknown(onRecord(key).fence());
    }

    @Test
    void time_that_passes_while_the_provider_is_asked_does_not_count() {
        becomeUnknown("k");
        time.advance(WINDOW.minusSeconds(1));
        reconciler(unknown -> {
                    time.advance(Duration.ofSeconds(2));
                    return NOT_FOUND;
                })
                .runOnce();
        assertThat(onRecord("k").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void not_found_is_asked_again_no_later_than_just_after_the_window() {
        ReconcilePolicy slow = new ReconcilePolicy(WINDOW, LONGEST, LONGEST, 3);
        becomeUnknown("k");
        Reconciler reconciler = reconciler(unknown -> NOT_FOUND, slow);
        reconciler.runOnce();
        assertThat(untilNextTry("k")).isEqualTo(WINDOW.plus(MILLISECOND));
        time.advance(WINDOW);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        time.advance(MILLISECOND);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
    }

    @Test
    void not_found_within_the_window_is_asked_again_as_soon_as_anything_else() {
        becomeUnknown("k");
        reconciler(unknown -> NOT_FOUND).runOnce();
        assertThat(untilNextTry("k")).isBetween(FIRST.dividedBy(2), FIRST);
    }

    @Test
    @DisplayName("I10: the settle window passes by the store's clock, whatever the application's says")
    void settle_window_by_the_clock_of_the_store() {
        ManualTime atTheStore = new ManualTime();
        MemoryStore elsewhere = new MemoryStore(atTheStore);
        SemelEngine engine = SemelEngine.on(elsewhere).timer(time).build();
        Reconciler reconciler = Reconciler.of(engine.unknownOutcomes())
                .resolve(CHARGE, unknown -> NOT_FOUND, POLICY)
                .build();
        assertThatThrownBy(() -> engine.execute(intentOf(CHARGE, "k"), Codec.text(), attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        time.advance(WINDOW.multipliedBy(10));
        assertThat(reconciler.runOnce().resolved()).isZero();
        atTheStore.advance(WINDOW.plusSeconds(1));
        assertThat(reconciler.runOnce().resolved()).isEqualTo(1);
    }

    @Test
    void a_charge_that_shows_up_late_is_never_made_twice() {
        becomeUnknown("k");
        Duration late = WINDOW.minusMinutes(1);
        Reconciler reconciler = reconciler(unknown -> unknown.age().compareTo(late) < 0 ? NOT_FOUND : FOUND);
        for (Duration passed = Duration.ZERO; passed.compareTo(WINDOW) < 0; passed = passed.plusSeconds(5)) {
            reconciler.runOnce();
            assertThat(retry(CHARGE, "k")).isNotInstanceOf(Execution.Ran.class);
            time.advance(Duration.ofSeconds(5));
        }
        reconciler.runOnce();
        time.advance(Duration.ofSeconds(10));
        reconciler.runOnce();
        assertThat(retry(CHARGE, "k")).isEqualTo(new Execution.Replayed<>("found"));
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void delays_grow_with_each_try_within_their_bounds_until_a_person_has_to_look() {
        ReconcilePolicy policy = new ReconcilePolicy(Duration.ZERO, FIRST, Duration.ofSeconds(60), 6);
        becomeUnknown("k");
        Reconciler reconciler = reconciler(unknown -> PENDING, policy);
        for (int seconds : new int[] {10, 20, 40, 60, 60}) {
            assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 1, 0, 0, 0));
            Duration full = Duration.ofSeconds(seconds);
            assertThat(untilNextTry("k")).isBetween(full.dividedBy(2), full);
            assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
            time.advance(full);
        }
        assertThat(events(Event.ReconcileScheduled.class))
                .extracting(Event.ReconcileScheduled::tries)
                .containsExactly(1, 2, 3, 4, 5);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 1, 0, 0));
        assertThat(onRecord("k").isDeadLettered()).isTrue();
        assertThat(events(Event.ReconcileFailed.class))
                .singleElement()
                .satisfies(event -> assertThat(event.deadLettered()).isTrue());
        time.advance(Duration.ofDays(365));
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        assertThat(retry(CHARGE, "k")).isEqualTo(new Execution.Refused<>(refusalOf("k")));
    }

    @Test
    void delays_are_jittered_so_that_many_records_do_not_come_due_at_once() {
        for (int i = 0; i < 50; i++) {
            becomeUnknown("k" + i);
        }
        reconciler(unknown -> PENDING).runOnce();
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            delays.add(untilNextTry("k" + i));
        }
        assertThat(delays).allSatisfy(delay -> assertThat(delay).isBetween(FIRST.dividedBy(2), FIRST));
        assertThat(delays.stream().distinct().count()).isGreaterThan(40);
    }

    @Test
    void many_tries_with_long_delays_do_not_overflow() {
        ReconcilePolicy policy = new ReconcilePolicy(Duration.ZERO, LONGEST, Duration.ofDays(30), 100);
        becomeUnknown("k");
        Reconciler reconciler = reconciler(unknown -> PENDING, policy);
        for (int i = 1; i < 100; i++) {
            assertThat(reconciler.runOnce().rescheduled()).isEqualTo(1);
            assertThat(untilNextTry("k")).isBetween(LONGEST.dividedBy(2), Duration.ofDays(30));
            time.advance(Duration.ofDays(30));
        }
    }

    @Test
    void a_person_can_have_the_search_begin_anew_or_decide_alone() {
        ReconcilePolicy once = new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 1);
        becomeUnknown("again");
        becomeUnknown("decided");
        Reconciler reconciler = reconciler(unknown -> PENDING, once);
        assertThat(reconciler.runOnce().deadLettered()).isEqualTo(2);
        Evidence alice = new Evidence("person:alice", "ticket 7");
        semel.unknownOutcomes().requeue(id("again"), alice);
        semel.settle(CHARGE, id("decided"), new Verdict.DidNotHappen(alice.detail()), alice.source());
        assertThat(reconciler(unknown -> FOUND, once).runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
        assertThat(retry(CHARGE, "again")).isEqualTo(new Execution.Replayed<>("found"));
        assertThat(retry(CHARGE, "decided")).isInstanceOf(Execution.Ran.class);
        assertThat(semel.unknownOutcomes().history(id("again")))
                .extracting(AuditEntry::change)
                .containsExactly(
                        Change.GRANTED, Change.SETTLED, Change.DEAD_LETTERED, Change.REQUEUED, Change.RECONCILED);
        assertThat(semel.unknownOutcomes().history(id("decided")))
                .anySatisfy(entry -> assertThat(entry.who()).isEqualTo("person:alice"));
    }

    @Test
    void a_not_found_within_the_window_never_ends_the_search() {
        ReconcilePolicy policy = new ReconcilePolicy(WINDOW, LONGEST, LONGEST, 2);
        becomeUnknown("k");
        Reconciler reconciler = reconciler(unknown -> NOT_FOUND, policy);
        for (int i = 0; i < 5; i++) {
            store.failNext(Verb.RESCHEDULE, Fault.REFUSED);
            assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 1));
            time.advance(HOLD);
        }
        assertThat(onRecord("k").reconciling().tries()).isGreaterThan(policy.maxTries());
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 1, 0, 0, 0));
        time.advance(WINDOW);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
    }

    @Test
    void evidence_about_one_attempt_never_settles_another() {
        becomeUnknown("k");
        long asked = onRecord("k").fence();
        reconciler(unknown -> {
                    assertThat(unknown.fence()).isEqualTo(asked);
                    semel.settle(CHARGE, id("k"), new Verdict.DidNotHappen("statement"), "person:alice");
                    becomeUnknown("k");
                    return FOUND;
                })
                .runOnce();
        StoredRecord record = onRecord("k");
        assertThat(record.fence()).isGreaterThan(asked);
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(events(Event.Reconciled.class))
                .singleElement()
                .satisfies(event -> assertThat(event.fence()).isEqualTo(asked));
    }

    @Test
    void what_another_caller_settled_meanwhile_stays_as_it_is() {
        becomeUnknown("k");
        assertThat(reconciler(unknown -> {
                            semel.settle(
                                    CHARGE,
                                    id("k"),
                                    new Verdict.Happened(((Verdict.Happened) FOUND).response(), "ch_1"),
                                    "webhook");
                            return NOT_FOUND;
                        })
                        .runOnce())
                .isEqualTo(report(0, 0, 0, 0, 0, 0));
        assertThat(onRecord("k").evidence().source()).isEqualTo("webhook");
    }

    @Test
    @DisplayName("I11: an attempt that vanished is noticed, looked up and settled in one run")
    void sweeps_before_it_asks() {
        semel.begin(intentOf(CHARGE, "gone"));
        Operation again = CHARGE.reexecutableAfterCrash();
        semel.begin(intentOf(again, "offered"));
        store.down();
        time.advance(LEASE.multipliedBy(2));
        store.up();
        assertThat(reconciler(unknown -> FOUND).runOnce()).isEqualTo(report(2, 1, 0, 0, 0, 0));
        assertThat(onRecord("gone").state()).isEqualTo(State.COMPLETED);
        assertThat(onRecord("offered").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(events(Event.ZombieKey.class))
                .extracting(Event.ZombieKey::reoffered)
                .containsExactlyInAnyOrder(false, true);
        assertThat(reconciler(unknown -> FOUND).runOnce().swept()).isZero();
    }

    @Test
    void one_run_takes_as_many_batches_as_there_are_and_leaves_other_operations_alone() {
        for (int i = 0; i < 2 * BATCH + 5; i++) {
            becomeUnknown("k" + i);
        }
        becomeUnknown(Operation.named("refund"), "other");
        assertThat(reconciler(unknown -> FOUND).runOnce().resolved()).isEqualTo(2 * BATCH + 5);
        assertThat(onRecord("other").reconciling().tries()).isZero();
    }

    @Test
    void a_resolver_gets_all_it_needs_to_look_the_attempt_up() {
        List<String> sent = new ArrayList<>();
        Operation steps = CHARGE;
        assertThatThrownBy(() -> semel.execute(intentOf(steps, "k"), Codec.text(), attempt -> {
                    attempt.step(Step.named("reserve"), Codec.text(), key -> "reserved r1");
                    sent.add(attempt.downstreamKey("charge"));
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        time.advance(Duration.ofSeconds(3));
        List<UnknownOutcome> asked = new ArrayList<>();
        reconciler(unknown -> {
                    asked.add(unknown);
                    return PENDING;
                })
                .runOnce();
        assertThat(asked).singleElement().satisfies(unknown -> {
            assertThat(unknown.identity()).isEqualTo(id("k"));
            assertThat(unknown.operation()).isEqualTo("charge");
            assertThat(unknown.reason()).isEqualTo("OutcomeUnknownException");
            assertThat(unknown.age()).isEqualTo(Duration.ofSeconds(3));
            assertThat(unknown.tries()).isEqualTo(1);
            assertThat(unknown.downstreamKey("charge")).isEqualTo(sent.get(0));
            assertThat(unknown.recordedStep("reserve", Codec.text())).contains("reserved r1");
            assertThat(unknown.recordedStep("charge", Codec.text())).isEmpty();
        });
    }

    @Test
    void a_detail_that_is_too_long_is_cut_and_settles_all_the_same() {
        becomeUnknown("k");
        String provider = "\0" + "x".repeat(Evidence.MAX_LENGTH - 2) + "😀 and so on";
        reconciler(unknown -> Verdict.happened(Codec.text(), "found", provider)).runOnce();
        assertThat(onRecord("k").evidence().detail()).isEqualTo(" " + "x".repeat(Evidence.MAX_LENGTH - 2));
    }
}
