package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gets the right to execute. */
public interface ClaimContract extends StoreVerbs {

    @Test
    @DisplayName("an absent record is granted, and is in progress from then on")
    default void claim_absent() {
        ClaimRequest request = request("k");
        Lease lease = granted(request);
        assertThat(lease.identity()).isEqualTo(id("k"));
        assertThat(lease.fence()).isPositive();
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.fence()).isEqualTo(lease.fence());
        assertThat(record.attempts()).isEqualTo(1);
        assertThat(record.operation()).isEqualTo("create-payment");
        assertThat(record.fingerprint()).isEqualTo(FINGERPRINT);
        assertThat(record.holder()).isEqualTo(request.holder());
        assertThat(record.reexecutable()).isFalse();
        assertThat(record.response()).isNull();
        assertThat(record.times().expiresAt()).isNull();
        assertThat(record.leaseRemaining()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    @DisplayName("a running attempt makes every other claim busy, and says for how long")
    default void claim_in_progress() {
        granted("k");
        harness().elapse(Duration.ofSeconds(10));
        assertThat(claim("k"))
                .asInstanceOf(type(ClaimAnswer.Busy.class))
                .satisfies(busy -> assertThat(busy.leaseRemaining())
                        .isGreaterThan(Duration.ofSeconds(1))
                        .isLessThanOrEqualTo(LEASE.minusSeconds(10)));
        assertThat(record("k").attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("a claim whose answer was lost gets the same lease when its holder asks again")
    default void claim_repeated_by_the_same_holder() {
        ClaimRequest request = reexecutable("k");
        Lease lease = granted(request);
        StoredRecord first = record("k");
        harness().elapse(LEASE.dividedBy(2));
        assertThat(claim(request)).asInstanceOf(type(ClaimAnswer.Granted.class)).satisfies(granted -> {
            assertThat(granted.lease()).isEqualTo(lease);
            assertThat(granted.attempts()).isEqualTo(1);
            assertThat(granted.record().times().lockedUntil())
                    .isEqualTo(first.times().lockedUntil());
        });
        assertThat(record("k").times().updatedAt()).isEqualTo(first.times().updatedAt());
    }

    @Test
    @DisplayName("a claim that is repeated after its attempt was settled is answered like any other")
    default void claim_repeated_after_settlement() {
        ClaimRequest request = request("k");
        settle(granted(request), completed("done"));
        assertThat(claim(request)).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("a completed record answers with its response")
    default void claim_completed() {
        settle(granted("k"), completed("done"));
        assertThat(claim("k")).asInstanceOf(type(ClaimAnswer.Recorded.class)).satisfies(recorded -> {
            assertThat(recorded.record().response()).isEqualTo(response("done"));
            assertThat(recorded.record().retentionRemaining()).isPositive().isLessThanOrEqualTo(RETENTION);
        });
    }

    @Test
    @DisplayName("a record that failed retryably is granted again, with a higher fence and one more attempt")
    default void claim_failed_retryable() {
        Lease first = granted("k");
        settle(first, notExecuted());
        assertThat(claim("k")).asInstanceOf(type(ClaimAnswer.Granted.class)).satisfies(granted -> {
            assertThat(granted.lease().fence()).isGreaterThan(first.fence());
            assertThat(granted.attempts()).isEqualTo(2);
        });
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.reason()).isNull();
        assertThat(record.times().expiresAt()).isNull();
    }

    @Test
    @DisplayName("an unknown record refuses every claim, for ever")
    default void claim_unknown() {
        Lease lease = unknownLease("k");
        expireRetention();
        expireRetention();
        assertThat(claim(reexecutable("k")))
                .asInstanceOf(type(ClaimAnswer.Unknown.class))
                .satisfies(unknown -> {
                    assertThat(unknown.record().fence()).isEqualTo(lease.fence());
                    assertThat(unknown.record().reason()).isEqualTo("timeout");
                    assertThat(unknown.noticed()).isFalse();
                });
    }

    @Test
    @DisplayName("I5: an expired lease dispatches nothing: the claim turns the record unknown")
    default void claim_expired_lease() {
        Lease lease = granted("k");
        expireLeases();
        assertThat(claim("k")).asInstanceOf(type(ClaimAnswer.Unknown.class)).satisfies(unknown -> {
            assertThat(unknown.record().fence()).isEqualTo(lease.fence());
            assertThat(unknown.noticed()).as("this claim noticed it").isTrue();
        });
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(record.fence()).isEqualTo(lease.fence());
        assertThat(record.times().lockedUntil()).isNull();
        assertThat(claim("k"))
                .asInstanceOf(type(ClaimAnswer.Unknown.class))
                .satisfies(again ->
                        assertThat(again.noticed()).as("noticed before").isFalse());
    }

    @Test
    @DisplayName("an expired lease of a re-executable operation is taken over with a higher fence")
    default void claim_expired_lease_reexecutable() {
        Lease first = granted(reexecutable("k"));
        expireLeases();
        assertThat(claim(reexecutable("k")))
                .asInstanceOf(type(ClaimAnswer.Granted.class))
                .satisfies(granted -> {
                    assertThat(granted.lease().fence()).isGreaterThan(first.fence());
                    assertThat(granted.attempts()).isEqualTo(2);
                });
    }

    @Test
    @DisplayName("I5: a request that calls itself re-executable does not make an older attempt so, nor the reverse")
    default void claim_expired_lease_reexecutable_on_one_side_only() {
        granted("plain-then-reexecutable");
        granted(reexecutable("reexecutable-then-plain"));
        expireLeases();
        assertThat(claim(reexecutable("plain-then-reexecutable"))).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(claim("reexecutable-then-plain")).isInstanceOf(ClaimAnswer.Unknown.class);
    }

    @Test
    @DisplayName("I7: another fingerprint is a mismatch in every state, and changes nothing")
    default void claim_mismatch() {
        granted("in-progress");
        granted(reexecutable("lease-expired"));
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        unknownLease("unknown");
        harness().elapse(LEASE.minusSeconds(1));
        granted("fresh");
        harness().elapse(Duration.ofSeconds(2));
        for (String key : new String[] {"in-progress", "lease-expired", "completed", "failed", "unknown", "fresh"}) {
            StoredRecord before = record(key);
            assertThat(claim(reexecutable(key).withFingerprint(OTHER_FINGERPRINT)))
                    .as(key)
                    .isInstanceOf(ClaimAnswer.Mismatch.class);
            StoredRecord after = record(key);
            assertThat(after.state()).as(key).isEqualTo(before.state());
            assertThat(after.fence()).as(key).isEqualTo(before.fence());
            assertThat(after.attempts()).as(key).isEqualTo(before.attempts());
            assertThat(after.fingerprint()).as(key).isEqualTo(FINGERPRINT);
            assertThat(after.times().updatedAt())
                    .as(key)
                    .isEqualTo(before.times().updatedAt());
        }
    }

    @Test
    @DisplayName("I9: the same key in two scopes is two records")
    default void claim_scoped() {
        granted(request(Identity.of("acme", "k")));
        granted(request(Identity.of("globex", "k")));
        assertThat(claim(request(Identity.of("acme", "k")))).isInstanceOf(ClaimAnswer.Busy.class);
    }

    @Test
    @DisplayName("what one handle on the store has written, the other sees")
    default void claim_through_another_handle() {
        Lease lease = granted("k");
        assertThat(StoreVerbs.await(harness().another().claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        settle(lease, completed("done"));
        assertThat(StoreVerbs.await(harness().another().claim(request("k"))))
                .asInstanceOf(type(ClaimAnswer.Recorded.class))
                .satisfies(recorded -> assertThat(recorded.record().response()).isEqualTo(response("done")));
    }

    @Test
    @DisplayName("a record that is not there is not found")
    default void find_absent() {
        assertThat(find("k")).isEmpty();
    }
}
