package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I2: fences strictly rise per key, also across expiry and reuse, and nothing commits from a stale one. */
public interface FenceContract extends StoreVerbs {

    @Test
    @DisplayName("I2: fences rise from attempt to attempt")
    default void fence_rises_over_attempts() {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            Lease lease = granted("k");
            assertThat(lease.fence()).isGreaterThan(last);
            last = lease.fence();
            settle(lease, notExecuted());
        }
    }

    @Test
    @DisplayName("I2: fences rise over expiry, marking and deletion of the record")
    default void fence_rises_over_expiry_and_reuse() {
        Lease first = granted("k");
        settle(first, completed("1"));
        expireRetention();
        Lease second = granted("k");
        assertThat(second.fence()).isGreaterThan(first.fence());

        settle(second, completed("2"));
        expireRetention();
        assertThat(prune(10, Expiry.MARK)).isEqualTo(1);
        Lease third = granted("k");
        assertThat(third.fence()).isGreaterThan(second.fence());

        settle(third, completed("3"));
        expireRetention();
        assertThat(prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(find("k")).isEmpty();
        Lease fourth = granted("k");
        assertThat(fourth.fence()).isGreaterThan(third.fence());
    }

    @Test
    @DisplayName("I2: the owner of a taken-over lease writes nothing any more")
    default void fence_stale_after_takeover() {
        Lease stale = granted(reexecutable("k"));
        expireLeases();
        Lease current = granted(reexecutable("k"));
        for (Outcome outcome : List.of(completed("stale"), notExecuted(), unknown())) {
            assertThat(settle(stale, outcome)).isInstanceOf(SettleAnswer.Refused.class);
        }
        assertThat(renew(stale)).isEqualTo(RenewAnswer.LOST);
        assertThat(record("k").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record("k").fence()).isEqualTo(current.fence());

        assertThat(settle(current, completed("current"))).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(settle(stale, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("k").response()).isEqualTo(response("current"));
    }

    @Test
    @DisplayName("I2: an attempt from before expiry and reuse of its key writes nothing")
    default void fence_stale_after_reuse() {
        Lease stale = granted("k");
        settle(stale, notExecuted());
        expireRetention();
        prune(10, Expiry.DELETE);
        Lease current = granted("k");
        assertThat(settle(stale, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(renew(stale)).isEqualTo(RenewAnswer.LOST);
        assertThat(record("k").state()).isEqualTo(State.IN_PROGRESS);

        settle(current, unknown());
        assertThat(settle(stale, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(reconcile(stale, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(record("k").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    @DisplayName("I2: a fence from the future writes nothing either")
    default void fence_ahead() {
        Lease lease = granted("k");
        Lease ahead = new Lease(lease.identity(), lease.fence() + 1);
        assertThat(settle(ahead, completed("x"))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(renew(ahead)).isEqualTo(RenewAnswer.LOST);
        assertThat(record("k").state()).isEqualTo(State.IN_PROGRESS);
    }
}
