package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.testkit.ManualTime;
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
        Semel semel = Semel.on(store()).timer(new ManualTime()).build();

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
}
