package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.adapter.Claim;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.ForwardingStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I4 and I10: an entry ends before its record does, by elapsed time alone, whether or not the cache has dropped it. */
@DisplayName("near-cache: how long it answers")
class NearCacheTimeTest extends NearFixture {

    private static final Duration STEP = Duration.ofMillis(1);
    private static final Duration NANO = Duration.ofNanos(1);
    private static final Duration SLOW = Duration.ofSeconds(20);
    private static final Duration RETENTION = CHARGE.retention();

    /** A store whose answers take their time. */
    private SemelEngine slow() {
        return SemelEngine.on(new ForwardingStore(counting) {
                    @Override
                    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
                        CompletionStage<ClaimAnswer> answer = super.claim(request);
                        time.advance(SLOW);
                        return answer;
                    }

                    @Override
                    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
                        CompletionStage<SettleAnswer> answer = super.settle(lease, outcome, retention);
                        time.advance(SLOW);
                        return answer;
                    }
                })
                .timer(time)
                .nearCache(cache)
                .build();
    }

    private long roundTripsOfReplay(SemelEngine engine) {
        return roundTripsOf(() -> assertThat(engine.begin(intent(CHARGE))).isInstanceOf(Claim.Recorded.class));
    }

    @Test
    void until_a_step_of_the_stores_clock_before_retention_ends() {
        executeNear();
        time.advance(RETENTION.minus(STEP).minus(NANO));
        assertThat(roundTripsOfReplay(near)).isZero();
        time.advance(NANO);
        assertThat(roundTripsOfReplay(near)).isEqualTo(1);
        time.advance(STEP);
        assertThat(executeNear()).as("after retention").isInstanceOf(Execution.Ran.class);
    }

    @Test
    void for_what_is_left_of_a_record_that_was_old_when_it_was_seen() {
        execute(CHARGE);
        time.advance(RETENTION.minusSeconds(10));
        assertThat(roundTripsOfReplay(near)).isEqualTo(1);
        assertThat(cache.lengths).containsEntry(ID, Duration.ofSeconds(10).minus(STEP));
        time.advance(Duration.ofSeconds(10).minus(STEP).minus(NANO));
        assertThat(roundTripsOfReplay(near)).isZero();
        time.advance(NANO);
        assertThat(roundTripsOfReplay(near)).isEqualTo(1);
    }

    @Test
    void counted_from_before_the_record_was_asked_for() {
        execute(CHARGE);
        SemelEngine slow = slow();
        assertThat(roundTripsOfReplay(slow)).isEqualTo(1);
        assertThat(cache.lengths).containsEntry(ID, RETENTION.minus(SLOW).minus(STEP));
        time.advance(RETENTION.minus(SLOW).minus(STEP).minus(NANO));
        assertThat(roundTripsOfReplay(slow)).isZero();
        time.advance(STEP.plus(NANO));
        assertThat(slow.begin(intent(CHARGE))).as("after retention").isInstanceOf(Claim.Granted.class);
    }

    @Test
    void counted_from_before_the_record_was_written() {
        SemelEngine slow = slow();
        slow.execute(intent(CHARGE), Codec.text(), attempt -> "charged");
        assertThat(cache.lengths).containsEntry(ID, RETENTION.minus(SLOW).minus(STEP));
        time.advance(RETENTION.minus(SLOW).minus(STEP).minus(NANO));
        assertThat(roundTripsOfReplay(slow)).isZero();
        time.advance(STEP.plus(NANO));
        assertThat(slow.begin(intent(CHARGE))).as("after retention").isInstanceOf(Claim.Granted.class);
    }

    @Test
    void not_at_all_when_retention_has_ended_on_the_way() {
        execute(CHARGE);
        time.advance(RETENTION.minus(SLOW));
        assertThat(slow().begin(intent(CHARGE))).isInstanceOf(Claim.Recorded.class);
        assertThat(cache.entries).isEmpty();
    }

    @Test
    @DisplayName("I2, I4: a key that was pruned and used again is not answered with what it once meant")
    void a_key_that_is_used_again() {
        executeNear();
        time.advance(RETENTION);
        assertThat(semel.prune(Expiry.DELETE)).isEqualTo(1);
        semel.execute(intent(CHARGE, "200 EUR"), Codec.text(), attempt -> "another process, another meaning");
        assertThat(near.execute(intent(CHARGE, "200 EUR"), Codec.text(), attempt -> "once more"))
                .isEqualTo(new Execution.Replayed<>("another process, another meaning"));
        assertThat(executeNear()).isInstanceOf(Execution.Refused.class);
    }

    @Test
    void retention_of_a_century_is_kept_for_as_long() {
        Operation everlasting = CHARGE.retention(Duration.ofDays(36_500));
        near.execute(intent(everlasting), Codec.text(), attempt -> "charged");
        assertThat(roundTripsOfReplay(near)).isZero();
    }
}
