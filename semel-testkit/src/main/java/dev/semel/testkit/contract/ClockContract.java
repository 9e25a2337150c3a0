package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * I10: the store's clock decides, and no other.
 *
 * <p>The harness moves the store's clock while the application's stays, so a store that asks the application's decides
 * wrongly here.
 */
public interface ClockContract extends StoreVerbs {

    @Test
    @DisplayName("I10: a lease ends by the store's clock")
    default void clock_lease() {
        granted("k");
        harness().elapse(LEASE.minusSeconds(1));
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Busy.class);
        harness().elapse(Duration.ofSeconds(2));
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Unknown.class);
    }

    @Test
    @DisplayName("I10: a lease that was granted an hour into the store's future is whole")
    default void clock_lease_granted_later() {
        harness().elapse(Duration.ofHours(1));
        granted("k");
        harness().elapse(LEASE.minusSeconds(1));
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(record("k").leaseRemaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("I10: a heartbeat counts from the store's present")
    default void clock_renewal() {
        Lease lease = granted(reexecutable("k"));
        for (int i = 0; i < 3; i++) {
            harness().elapse(LEASE.minusSeconds(5));
            assertThat(renew(lease)).isEqualTo(RenewAnswer.RENEWED);
        }
        assertThat(claim(reexecutable("k"))).isInstanceOf(ClaimAnswer.Busy.class);
        harness().elapse(LEASE.plusSeconds(1));
        assertThat(claim(reexecutable("k"))).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(renew(lease)).isEqualTo(RenewAnswer.LOST);
    }

    @Test
    @DisplayName("a heartbeat revives a lease whose expiry was not noticed yet, but no settled record")
    default void clock_renewal_after_expiry() {
        Lease unnoticed = granted("unnoticed");
        Lease noticed = granted("noticed");
        Lease done = granted("done");
        settle(done, completed("done"));
        expireLeases();
        claim("noticed");
        assertThat(renew(unnoticed)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(renew(noticed)).isEqualTo(RenewAnswer.LOST);
        assertThat(renew(done)).isEqualTo(RenewAnswer.LOST);
        assertThat(record("noticed").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("done").state()).isEqualTo(State.COMPLETED);
        assertThat(claim("unnoticed")).isInstanceOf(ClaimAnswer.Busy.class);
    }

    @Test
    @DisplayName("I10: retention ends by the store's clock, counted from settlement")
    default void clock_retention() {
        Lease lease = granted("k");
        harness().elapse(Duration.ofSeconds(20));
        settle(lease, completed("done"));
        harness().elapse(RETENTION.minusSeconds(1));
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(prune(10, Expiry.DELETE)).isZero();
        harness().elapse(Duration.ofSeconds(2));
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("I10: what a record says of time is the store's time")
    default void clock_times() {
        granted("before");
        StoredRecord before = record("before");
        harness().elapse(Duration.ofHours(1));
        Lease lease = granted("k");
        StoredRecord record = record("k");
        assertThat(Duration.between(before.times().createdAt(), record.times().createdAt()))
                .isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(record.times().asOf()).isAfterOrEqualTo(record.times().createdAt());
        settle(lease, unknown());
        assertThat(record("k").times().updatedAt())
                .isAfterOrEqualTo(record.times().createdAt());
        assertThat(record("k").times().createdAt()).isEqualTo(record.times().createdAt());
        assertThat(claim(request("before"))).isInstanceOf(ClaimAnswer.Unknown.class);
    }

    @Test
    @DisplayName("I10: the sweeper goes by the store's clock")
    default void clock_sweep() {
        harness().elapse(Duration.ofHours(1));
        granted("plain");
        granted(reexecutable("reexecutable"));
        harness().elapse(LEASE.minusSeconds(5));
        assertThat(sweep(10)).isEmpty();
        harness().elapse(Duration.ofSeconds(6));
        assertThat(sweep(10)).hasSize(2);
    }

    @Test
    @DisplayName(
            "I10: an outcome that is unknown an hour into the store's future is due at once, and its times are then")
    default void clock_unknown() {
        granted("before");
        StoredRecord before = record("before");
        harness().elapse(Duration.ofHours(1));
        Lease lease = granted("k");
        step(lease, "reserve", StoreVerbs.response("reserved"));
        settle(lease, unknown());
        assertThat(due(10)).hasSize(1);
        reschedule(lease, new Reschedule.RetryAfter(1, Duration.ofHours(1)));
        StoredRecord record = record("k");
        StoredRecord.Reconciling reconciling = Objects.requireNonNull(record.reconciling());
        assertThat(reconciling.since())
                .isAfterOrEqualTo(before.times().createdAt().plus(Duration.ofHours(1)));
        assertThat(reconciling.nextTryAt())
                .isAfterOrEqualTo(before.times().createdAt().plus(Duration.ofHours(2)));
        assertThat(record.times().claimedAt())
                .isAfterOrEqualTo(before.times().createdAt().plus(Duration.ofHours(1)));
        assertThat(history("k"))
                .hasSize(4)
                .allSatisfy(entry -> assertThat(entry.at())
                        .isAfterOrEqualTo(before.times().createdAt().plus(Duration.ofHours(1))));
        assertThat(record.unknownFor()).isLessThan(Duration.ofHours(1));
    }
}
