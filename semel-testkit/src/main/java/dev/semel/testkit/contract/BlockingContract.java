package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The verbs for callers that wait do what the asynchronous ones do. */
public interface BlockingContract extends StoreVerbs {

    private BlockingVerbs blocking() {
        return store().blocking();
    }

    @Test
    @DisplayName("a caller that waits claims, records a step, settles, and reads what every other caller reads")
    default void blocking_way_of_a_request() {
        ClaimRequest request = StoreVerbs.request("k");
        Lease lease = ((ClaimAnswer.Granted) blocking().claim(request)).lease();
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(blocking().step(lease, "reserved", StoreVerbs.response("r-1")))
                .isEqualTo(StepAnswer.RECORDED);
        assertThat(record("k").steps().find("reserved")).contains(StoreVerbs.response("r-1"));
        assertThat(blocking().settle(lease, StoreVerbs.completed("done"), RETENTION))
                .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));

        assertThat(blocking().find(StoreVerbs.id("k")).map(StoreVerbs::still))
                .isEqualTo(find("k").map(StoreVerbs::still));
        assertThat(record("k").response()).isEqualTo(StoreVerbs.response("done"));
        assertThat(blocking().claim(StoreVerbs.request("k")))
                .asInstanceOf(type(ClaimAnswer.Recorded.class))
                .extracting(answer -> answer.record().response())
                .isEqualTo(StoreVerbs.response("done"));
    }

    @Test
    @DisplayName("a caller that waits is refused what every other caller is refused")
    default void blocking_refusals() {
        Lease lease = granted("k");
        assertThat(blocking().claim(StoreVerbs.request("k"))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(blocking().claim(StoreVerbs.request("k").withFingerprint(OTHER_FINGERPRINT)))
                .isInstanceOf(ClaimAnswer.Mismatch.class);
        Lease stale = new Lease(lease.identity(), lease.fence() - 1);
        changingNothing("k", () -> {
            assertThat(blocking().step(stale, "reserved", StoreVerbs.response("r-1")))
                    .isEqualTo(StepAnswer.LOST);
            assertThat(blocking().settle(stale, StoreVerbs.completed("late"), RETENTION))
                    .isInstanceOf(SettleAnswer.Refused.class);
            return stale;
        });
        assertThat(blocking().find(StoreVerbs.id("absent"))).isEmpty();
    }

    @Test
    @DisplayName("I1: of callers that claim one key at once and wait, one is granted")
    default void blocking_race() throws Exception {
        List<Callable<ClaimAnswer>> tasks = IntStream.range(0, 8)
                .<Callable<ClaimAnswer>>mapToObj(i -> () -> blocking().claim(StoreVerbs.request("k")))
                .toList();
        assertThat(Together.run(tasks))
                .filteredOn(ClaimAnswer.Granted.class::isInstance)
                .hasSize(1);
    }
}
