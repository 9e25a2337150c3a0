package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Operation;
import dev.semel.State;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.Reconciler;
import dev.semel.testsupport.stores.FaultyStore.Fault;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon's threads are real; what they look at is a store in manual time. */
@DisplayName("reconciler as a daemon")
@Timeout(300)
class ReconcilerDaemonTest extends UnknownFixture {

    private static final Duration OFTEN = Duration.ofMillis(1);
    private static final Operation REFUND = Operation.named("refund");

    private Reconciler.Builder often(OutcomeResolver ofCharges) {
        return Reconciler.of(semel.unknownOutcomes()).resolve(CHARGE, ofCharges).every(OFTEN);
    }

    private void awaitState(String key, State state) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(onRecord(key).state()).isEqualTo(state));
    }

    @Test
    void sweeps_and_resolves_in_the_background_until_it_is_closed() {
        semel.begin(intentOf(CHARGE, "gone"));
        store.down();
        time.advance(LEASE.multipliedBy(2));
        store.up();
        Reconciler reconciler = often(unknown -> FOUND).start();
        awaitState("gone", State.COMPLETED);
        becomeUnknown("later");
        awaitState("later", State.COMPLETED);
        reconciler.close();
        becomeUnknown("too-late");
        assertThat(reconciler.runOnce()).isEqualTo(report(0, 0, 0, 0, 0, 0));
        assertThat(onRecord("too-late").reconciling().tries()).isZero();
        assertThatThrownBy(reconciler::start).isInstanceOf(IllegalStateException.class);
        reconciler.close();
    }

    @Test
    void closing_waits_for_the_record_at_hand_and_takes_no_other() throws Exception {
        becomeUnknown("k1");
        time.advance(OFTEN);
        becomeUnknown("k2");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Reconciler reconciler = often(unknown -> {
                    asked.countDown();
                    answer.await();
                    return FOUND;
                })
                .start();
        asked.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(reconciler::close);
        await().atMost(Duration.ofMinutes(2))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("semel-sweeper")));
        assertThat(closing).isNotDone();
        answer.countDown();
        closing.join();
        assertThat(onRecord("k1").state()).isEqualTo(State.COMPLETED);
        assertThat(onRecord("k2").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_resolver_that_hangs_blocks_no_other_record_and_does_not_keep_it_from_closing() throws Exception {
        becomeUnknown("hanging");
        becomeUnknown(REFUND, "refunded");
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Reconciler reconciler = often(unknown -> {
                    asked.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                    return FOUND;
                })
                .resolve(REFUND, unknown -> FOUND)
                .answerWithin(Duration.ofMillis(50))
                .start();
        asked.await();
        awaitState("refunded", State.COMPLETED);
        semel.begin(intentOf(CHARGE, "gone"));
        store.down();
        time.advance(LEASE.multipliedBy(2));
        store.up();
        awaitState("gone", State.UNKNOWN);
        reconciler.close();
        await().atMost(Duration.ofMinutes(2)).untilTrue(interrupted);
        assertThat(onRecord("hanging").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void goes_on_when_the_store_is_back() {
        becomeUnknown("k");
        for (int i = 0; i < 3; i++) {
            store.failNext(Verb.SWEEP, Fault.REFUSED);
            store.failNext(Verb.DUE, Fault.REFUSED);
        }
        try (Reconciler reconciler = often(unknown -> FOUND).start()) {
            awaitState("k", State.COMPLETED);
            assertThat(reconciler).isNotNull();
        }
    }

    @Test
    void goes_on_after_a_resolver_that_leaves_its_thread_interrupted() {
        becomeUnknown("k1");
        becomeUnknown("k2");
        AtomicInteger asked = new AtomicInteger();
        Reconciler reconciler = often(unknown -> {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    if (asked.incrementAndGet() == 1) {
                        throw new InterruptedException("of another thread");
                    }
                    Thread.currentThread().interrupt();
                    return FOUND;
                })
                .start();
        await().atMost(Duration.ofMinutes(2)).until(() -> asked.get() == 2);
        becomeUnknown("k3");
        awaitState("k3", State.COMPLETED);
        reconciler.close();
        assertThat(asked).hasValue(3);
    }

    @Test
    void continues_after_an_unexpected_error() {
        AtomicBoolean first = new AtomicBoolean(true);
        becomeUnknown("k");
        OutcomeResolver failing = unknown -> {
            if (first.getAndSet(false)) {
                throw new StackOverflowError();
            }
            return FOUND;
        };
        try (Reconciler reconciler = often(failing).start()) {
            await().atMost(Duration.ofMinutes(2)).untilFalse(first);
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                time.advance(FIRST);
                assertThat(onRecord("k").state()).isEqualTo(State.COMPLETED);
            });
            assertThat(reconciler).isNotNull();
        }
    }

    @Test
    void is_started_once() {
        try (Reconciler reconciler = often(unknown -> FOUND).start()) {
            assertThatThrownBy(reconciler::start).hasMessageContaining("once");
        }
    }
}
