package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("reconciler with resolvers, listeners and stores that fail")
class ReconcilerTroubleTest extends UnknownFixture {

    static Stream<Arguments> brokenResolvers() {
        OutcomeResolver unreachable = unknown -> {
            throw new IOException("connection reset");
        };
        OutcomeResolver faulty = unknown -> {
            throw new StoreException("the resolver's own store");
        };
        OutcomeResolver misbuilt = unknown -> {
            throw new NoClassDefFoundError("com/bank/Client");
        };
        OutcomeResolver silent = unknown -> null;
        OutcomeResolver withoutDetail = unknown -> new Verdict.DidNotHappen(null);
        return Stream.of(
                Arguments.of(unreachable, "IOException: connection reset"),
                Arguments.of(faulty, "StoreException: the resolver's own store"),
                Arguments.of(misbuilt, "NoClassDefFoundError: com/bank/Client"),
                Arguments.of(silent, "NullPointerException: the resolver returned no verdict"),
                Arguments.of(withoutDetail, "NullPointerException: a verdict says what was seen: give a detail"));
    }

    @ParameterizedTest
    @MethodSource("brokenResolvers")
    void a_resolver_that_fails_is_asked_again_and_is_in_no_other_records_way(OutcomeResolver broken, String why) {
        for (int i = 0; i < 3; i++) {
            becomeUnknown("k" + i);
        }
        Reconciler reconciler =
                reconciler(unknown -> unknown.identity().equals(id("k1")) ? broken.resolve(unknown) : FOUND);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 2, 1, 0, 1, 0));
        assertThat(untilNextTry("k1")).isBetween(FIRST.dividedBy(2), FIRST);
        assertThat(events(Event.ReconcileFailed.class)).singleElement().satisfies(event -> {
            assertThat(event.identity()).isEqualTo(id("k1"));
            assertThat(event.why()).isEqualTo(why);
            assertThat(event.deadLettered()).isFalse();
        });
        assertThat(semel.unknownOutcomes().history(id("k1")))
                .last()
                .satisfies(entry -> assertThat(entry.why()).isEqualTo(why));
    }

    @Test
    void a_resolver_that_always_fails_leaves_the_record_to_a_person() {
        becomeUnknown("k");
        Reconciler reconciler = reconciler(
                unknown -> {
                    throw new IOException("connection reset");
                },
                new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 2));
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 1, 0, 1, 0));
        time.advance(FIRST);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 1, 1, 0));
        assertThat(events(Event.ReconcileFailed.class))
                .extracting(Event.ReconcileFailed::deadLettered)
                .containsExactly(false, false, true);
    }

    @Test
    void a_reconciler_that_dies_before_it_settles_has_the_record_taken_again_when_its_hold_has_passed() {
        becomeUnknown("k");
        Reconciler reconciler = reconciler(unknown -> FOUND);
        store.failNext(Verb.RECONCILE, Fault.REFUSED);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 1));
        time.advance(HOLD.minusMillis(1));
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        time.advance(Duration.ofMillis(1));
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
        assertThat(onRecord("k").reconciling()).isNull();
    }

    @Test
    void a_settlement_whose_answer_was_lost_is_on_record_and_not_asked_about_again() {
        becomeUnknown("k");
        store.failNext(Verb.RECONCILE, Fault.ANSWER_LOST);
        int[] asked = new int[1];
        Reconciler reconciler = reconciler(unknown -> {
            asked[0]++;
            return FOUND;
        });
        assertThat(reconciler.runOnce().storeFaults()).isEqualTo(1);
        time.advance(HOLD);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        assertThat(asked[0]).isEqualTo(1);
        assertThat(retry(CHARGE, "k")).isEqualTo(new Execution.Replayed<>("found"));
    }

    @Test
    void a_store_that_fails_at_one_thing_is_asked_for_the_others() {
        Operation refund = Operation.named("refund");
        becomeUnknown("k");
        becomeUnknown(refund, "r");
        Reconciler reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(CHARGE, unknown -> FOUND)
                .resolve(refund, unknown -> FOUND)
                .build();
        store.failNext(Verb.SWEEP, Fault.REFUSED);
        store.failNext(Verb.DUE, Fault.REFUSED);
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 2));
        assertThat(onRecord("k").state()).isEqualTo(State.UNKNOWN);
        assertThat(onRecord("r").state()).isEqualTo(State.COMPLETED);
        assertThat(events(Event.BatchFault.class))
                .extracting(Event.BatchFault::verb)
                .containsExactly("sweep", "due");
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 1, 0, 0, 0, 0));
    }

    @Test
    void a_record_that_the_store_cannot_settle_does_not_keep_its_batch_from_being_settled() {
        for (int i = 0; i < BATCH; i++) {
            becomeUnknown("k" + i);
        }
        store.failNext(Verb.RECONCILE, Fault.REFUSED);
        assertThat(reconciler(unknown -> FOUND).runOnce()).isEqualTo(report(0, BATCH - 1, 0, 0, 0, 1));
        assertThat(events(Event.StoreFault.class))
                .singleElement()
                .satisfies(event -> assertThat(event.verb()).isEqualTo("reconcile"));
    }

    @Test
    void a_store_that_throws_instead_of_answering_is_a_store_that_failed() {
        Store throwing = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {dev.semel.engine.Store.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("injected");
                });
        Reconciler reconciler = Reconciler.of(SemelEngine.on(throwing)
                        .timer(time)
                        .forOperators()
                        .build()
                        .unknownOutcomes())
                .resolve(CHARGE, unknown -> FOUND)
                .build();
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 2));
    }

    @Test
    void an_interrupt_ends_the_run_after_the_record_at_hand_and_is_passed_on() {
        for (int i = 0; i < 3; i++) {
            becomeUnknown("k" + i);
        }
        List<String> asked = new ArrayList<>();
        Reconciler reconciler = reconciler(unknown -> {
            asked.add(unknown.identity().key().value());
            throw new InterruptedException();
        });
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(asked).hasSize(1);
        assertThat(events(Event.ReconcileFailed.class)).isEmpty();
        time.advance(HOLD);
        assertThat(reconciler(unknown -> FOUND).runOnce().resolved()).isEqualTo(3);
    }

    @Test
    void a_policy_that_would_give_up_before_not_found_counts_is_refused() {
        Reconciler.Builder builder = Reconciler.of(semel.unknownOutcomes());
        OutcomeResolver resolver = unknown -> FOUND;
        builder.resolve(CHARGE, resolver, ReconcilePolicy.DEFAULT);
        Operation refund = Operation.named("refund");
        assertThatThrownBy(() ->
                        builder.resolve(refund, resolver, ReconcilePolicy.DEFAULT.settleWindow(Duration.ofDays(1))))
                .hasMessageContaining("refund")
                .hasMessageContaining("30 tries")
                .hasMessageContaining("PT24H")
                .hasMessageContaining("maxTries");
        builder.resolve(
                refund,
                resolver,
                ReconcilePolicy.DEFAULT.settleWindow(Duration.ofDays(1)).maxTries(60));
        assertThatThrownBy(() -> builder.resolve(CHARGE, resolver)).hasMessageContaining("already");
        Operation other = Operation.named("other");
        assertThatThrownBy(
                        () -> builder.resolve(other, resolver, ReconcilePolicy.DEFAULT.firstDelay(Duration.ofHours(2))))
                .hasMessageContaining("longer than the longest");
        assertThatThrownBy(() ->
                        builder.resolve(other, resolver, new ReconcilePolicy(Duration.ofMillis(1), FIRST, FIRST, 1)))
                .hasMessageContaining("1 tries");
        builder.resolve(other, resolver, new ReconcilePolicy(Duration.ZERO, FIRST, FIRST, 1));
    }

    @Test
    void values_that_make_no_sense_are_refused() {
        assertThatThrownBy(() -> ReconcilePolicy.DEFAULT.settleWindow(Duration.ofSeconds(-1)))
                .hasMessageContaining("settle window is PT-1S");
        assertThatThrownBy(() -> ReconcilePolicy.DEFAULT.firstDelay(Duration.ZERO))
                .hasMessageContaining("first delay");
        assertThatThrownBy(() -> ReconcilePolicy.DEFAULT.longestDelay(Duration.ofDays(366)))
                .hasMessageContaining("longest delay");
        assertThatThrownBy(() -> ReconcilePolicy.DEFAULT.maxTries(0)).hasMessageContaining("at least one");
        Reconciler.Builder builder = Reconciler.of(semel.unknownOutcomes());
        assertThatThrownBy(() -> builder.every(Duration.ZERO)).hasMessageContaining("pause");
        assertThatThrownBy(() -> builder.answerWithin(Duration.ofDays(2))).hasMessageContaining("answer");
        assertThatThrownBy(() -> builder.batch(0)).hasMessageContaining("between 1 and 1000");
        assertThatThrownBy(() -> Verdict.happened(Codec.text(), "x", null)).isInstanceOf(NullPointerException.class);
    }
}
