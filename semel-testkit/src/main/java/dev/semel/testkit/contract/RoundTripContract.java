package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a request costs: two round trips for the first, one for a replay. */
public interface RoundTripContract extends StoreVerbs {

    @Test
    @DisplayName("a first request takes two round trips, a replay and a refusal one each")
    default void round_trips() {
        Operation operation = Operation.named("create-payment");
        Intent intent = Intent.of(operation, id("k").scope(), id("k").key(), FINGERPRINT);
        Intent misuse = Intent.of(operation, id("k").scope(), id("k").key(), OTHER_FINGERPRINT);
        SemelEngine semel = SemelEngine.on(store()).timer(new ManualTime()).build();

        long start = harness().roundTrips();
        Execution<String> first = semel.execute(intent, Codec.text(), attempt -> "done");
        long afterFirst = harness().roundTrips();
        Execution<String> second = semel.execute(intent, Codec.text(), attempt -> "done again");
        long afterReplay = harness().roundTrips();
        Execution<String> third = semel.execute(misuse, Codec.text(), attempt -> "something else");
        long afterMismatch = harness().roundTrips();

        assertThat(first).isInstanceOf(Execution.Ran.class);
        assertThat(second).isEqualTo(new Execution.Replayed<>("done"));
        assertThat(third).isInstanceOf(Execution.Refused.class);
        assertThat(afterFirst - start).as("first request").isEqualTo(2);
        assertThat(afterReplay - afterFirst).as("replay").isEqualTo(1);
        assertThat(afterMismatch - afterReplay).as("mismatch").isEqualTo(1);
    }

    @Test
    @DisplayName("a step takes one round trip more, and none when an earlier attempt has recorded it")
    default void round_trips_of_steps() {
        Intent intent = Intent.of(Operation.named(OPERATION), id("k").scope(), id("k").key(), FINGERPRINT);
        SemelEngine semel = SemelEngine.on(store()).timer(new ManualTime()).build();
        long start = harness().roundTrips();
        Execution<String> first = semel.execute(intent, Codec.text(), attempt -> {
            attempt.notExecuted("changed_my_mind");
            return attempt.step(Step.named("reserve"), Codec.text(), key -> "reserved");
        });
        long afterFirst = harness().roundTrips();
        Execution<String> second = semel.execute(
                intent,
                Codec.text(),
                attempt -> attempt.step(Step.named("reserve"), Codec.text(), key -> "reserved again"));
        long afterSecond = harness().roundTrips();
        assertThat(first).isInstanceOf(Execution.Ran.class);
        assertThat(second)
                .asInstanceOf(type(Execution.Ran.class))
                .satisfies(ran -> assertThat(ran.value()).isEqualTo("reserved"));
        assertThat(afterFirst - start).as("with a step").isEqualTo(3);
        // A claim of a record that is there and has to be written may look first.
        assertThat(afterSecond - afterFirst).as("with a recorded step").isBetween(2L, 3L);
    }

    @Test
    @DisplayName("every verb of reconciliation is one round trip, however many records it is about")
    default void round_trips_of_reconciliation() {
        for (int i = 0; i < 20; i++) {
            granted("k" + i);
        }
        expireLeases();
        List<Lease> leases = new ArrayList<>();
        assertThat(roundTripsOf(() -> sweep(100).forEach(record -> leases.add(record.lease()))))
                .as("sweep")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> due(100))).as("due").isEqualTo(1);
        assertThat(roundTripsOf(() -> reschedule(leases.get(0), new Reschedule.RetryAfter(1, HOLD))))
                .as("again")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> reschedule(leases.get(0), new Reschedule.DeadLetter(1))))
                .as("dead letter")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> reschedule(leases.get(0), new Reschedule.Reset())))
                .as("afresh")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> reconcile(leases.get(0), StoreVerbs.notExecuted())))
                .as("verdict")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> store().listUnknown(UnknownFilter.ALL, 100)))
                .as("list")
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> history("k0"))).as("history").isEqualTo(1);
    }

    @Test
    @DisplayName("what is asked together is answered as if it were asked one by one")
    default void asked_together() {
        SemelEngine semel = SemelEngine.on(store()).timer(new ManualTime()).build();
        Operation operation = Operation.named(OPERATION);
        List<CompletableFuture<Claim>> claims = new ArrayList<>();
        semel.together(() -> {
            for (int i = 0; i < 10; i++) {
                Intent intent =
                        Intent.of(operation, id("k").scope(), id("k" + i % 5).key(), FINGERPRINT);
                claims.add(semel.beginAsync(intent).toCompletableFuture());
            }
        });
        List<RunningAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            if (claims.get(i).join() instanceof Claim.Granted granted) {
                attempts.add(granted.attempt());
            } else {
                assertThat(claims.get(i).join()).extracting("why").isInstanceOf(Refusal.InProgress.class);
            }
        }
        assertThat(attempts)
                .extracting(attempt -> attempt.lease().identity())
                .doesNotHaveDuplicates()
                .hasSize(5);
        Outcome done = new Outcome.Completed(StoreVerbs.response("done"));
        List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
        semel.together(() ->
                attempts.forEach(attempt -> settlements.add(attempt.settle(done).toCompletableFuture())));
        assertThat(settlements)
                .hasSize(5)
                .allSatisfy(settlement -> assertThat(settlement.join()).isInstanceOf(Settlement.Settled.class));
        for (int i = 0; i < 5; i++) {
            assertThat(record("k" + i).state()).isEqualTo(State.COMPLETED);
        }
    }

    private long roundTripsOf(Runnable verb) {
        long before = harness().roundTrips();
        verb.run();
        return harness().roundTrips() - before;
    }
}
