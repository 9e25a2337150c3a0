package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** C11: what an attempt has finished on its way is not done again, and what it may have begun is in doubt. */
public interface StepContract extends StoreVerbs {

    /** Claims, expects the grant, and returns the record that came with it. */
    default StoredRecord grantedRecord(ClaimRequest request) {
        ClaimAnswer answer = claim(request);
        if (answer instanceof ClaimAnswer.Granted granted) {
            return granted.record();
        }
        throw new AssertionError("expected the claim to be granted, but got " + answer);
    }

    private static Steps steps(String... names) {
        Steps steps = Steps.NONE;
        for (String name : names) {
            steps = steps.plus(Steps.of(name, response(name + " done")));
        }
        return steps;
    }

    private StepAnswer step(Lease lease, String name) {
        return step(lease, name, response(name + " done"));
    }

    private @Nullable Instant doubt(String key) {
        return record(key).times().doubtSince();
    }

    @Test
    @DisplayName("the record of a grant is the record: new, in progress, with no steps and no doubt")
    default void step_first_grant() {
        StoredRecord granted = grantedRecord(request("k"));
        assertThat(still(granted)).isEqualTo(still(record("k")));
        assertThat(granted.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(granted.steps()).isEqualTo(Steps.NONE);
        assertThat(granted.times().doubtSince()).isNull();
        assertThat(granted.times().claimedAt())
                .isEqualTo(granted.times().createdAt())
                .isEqualTo(granted.times().updatedAt());
        assertThat(granted.times().lockedUntil())
                .isEqualTo(granted.times().claimedAt().plus(LEASE));
    }

    @Test
    @DisplayName(
            "C11: the next attempt is given the steps of those before it, in order, after a crash and after a release")
    default void step_given_to_the_next() {
        Lease first = granted(reexecutable("k"));
        assertThat(step(first, "reserve")).isEqualTo(StepAnswer.RECORDED);
        assertThat(step(first, "charge")).isEqualTo(StepAnswer.RECORDED);
        expireLeases();
        StoredRecord second = grantedRecord(reexecutable("k"));
        assertThat(second.steps()).isEqualTo(steps("reserve", "charge"));
        assertThat(second.steps().find("charge")).contains(response("charge done"));
        assertThat(step(second.lease(), "notify")).isEqualTo(StepAnswer.RECORDED);
        settle(second.lease(), notExecuted());
        assertThat(record("k").steps()).isEqualTo(steps("reserve", "charge", "notify"));
        StoredRecord third = grantedRecord(reexecutable("k"));
        assertThat(third.steps()).isEqualTo(steps("reserve", "charge", "notify"));
        assertThat(third.attempts()).isEqualTo(3);
        assertThat(still(third)).isEqualTo(still(record("k")));
    }

    @Test
    @DisplayName("a claim that is repeated because its answer was lost is given the steps as well")
    default void step_given_to_the_same_holder() {
        Lease first = granted(reexecutable("k"));
        step(first, "reserve");
        expireLeases();
        ClaimRequest again = reexecutable("k");
        granted(again);
        StoredRecord repeated = grantedRecord(again);
        assertThat(repeated.steps()).isEqualTo(steps("reserve"));
        assertThat(still(repeated)).isEqualTo(still(record("k")));
    }

    @Test
    @DisplayName("a step changes nothing else: neither the lease's end nor the attempts")
    default void step_only() {
        Lease lease = granted("k");
        StoredRecord before = record("k");
        harness().elapse(LEASE.dividedBy(2));
        step(lease, "reserve");
        StoredRecord after = record("k");
        assertThat(after.lease()).isEqualTo(lease);
        assertThat(after.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(after.attempts()).isEqualTo(1);
        assertThat(after.reason()).isNull();
        assertThat(after.response()).isNull();
        assertThat(after.times().lockedUntil()).isEqualTo(before.times().lockedUntil());
        assertThat(after.times().claimedAt()).isEqualTo(before.times().claimedAt());
        assertThat(after.times().expiresAt()).isNull();
    }

    @Test
    @DisplayName("I2: a step under a stale fence is lost, and nothing is written")
    default void step_stale() {
        Lease stale = granted(reexecutable("k"));
        expireLeases();
        Lease current = granted(reexecutable("k"));
        Lease ahead = new Lease(current.identity(), current.fence() + 1);
        for (Lease lease : List.of(stale, ahead)) {
            assertThat(changingNothing("k", () -> step(lease, "charge"))).isEqualTo(StepAnswer.LOST);
        }
        assertThat(step(current, "charge")).isEqualTo(StepAnswer.RECORDED);
    }

    @Test
    @DisplayName("a step of a record that is settled or absent is lost, and nothing is written")
    default void step_settled() {
        Lease done = granted("completed");
        settle(done, completed("done"));
        Lease failed = granted("failed");
        settle(failed, notExecuted());
        Lease unknown = unknownLease("unknown");
        Lease swept = granted("swept");
        Lease expired = granted("expired");
        settle(expired, completed("done"), LEASE);
        expireLeases();
        sweep(10);
        for (Lease lease : List.of(done, failed, unknown, swept, expired, new Lease(id("never"), 1))) {
            String key = lease.identity().key().value();
            assertThat(changingNothing(key, () -> step(lease, "charge")))
                    .as(key)
                    .isEqualTo(StepAnswer.LOST);
        }
    }

    @Test
    @DisplayName("a step is recorded while an expired lease is not taken over, noticed or not")
    default void step_after_expiry() {
        Lease unnoticed = granted("unnoticed");
        Lease reoffered = granted(reexecutable("reoffered"));
        expireLeases();
        StoreVerbs.await(store().find(id("unnoticed")));
        assertThat(step(unnoticed, "charge")).isEqualTo(StepAnswer.RECORDED);
        renew(unnoticed);
        assertThat(sweep(10)).hasSize(1);
        assertThat(step(reoffered, "charge")).isEqualTo(StepAnswer.RECORDED);
        assertThat(sweep(10)).isEmpty();
        assertThat(grantedRecord(reexecutable("reoffered")).steps()).isEqualTo(steps("charge"));
    }

    @Test
    @DisplayName("completion drops the steps, be it in time, late, or on evidence; an unknown outcome keeps them")
    default void step_dropped_by_completion() {
        Lease inTime = stepped("in-time");
        settle(inTime, completed("done"));
        Lease late = stepped("late");
        settle(late, unknown());
        assertThat(record("late").steps()).isEqualTo(steps("reserve"));
        settle(late, completed("done"));
        Lease found = stepped("found");
        settle(found, unknown());
        reconcile(found, completed("done"));
        for (String key : List.of("in-time", "late", "found")) {
            assertThat(record(key).steps()).as(key).isEqualTo(Steps.NONE);
        }
        Lease released = stepped("released");
        settle(released, unknown());
        reconcile(released, notExecuted());
        assertThat(record("released").steps()).isEqualTo(steps("reserve"));
        assertThat(grantedRecord(request("released")).steps()).isEqualTo(steps("reserve"));
    }

    private Lease stepped(String key) {
        Lease lease = granted(key);
        step(lease, "reserve");
        return lease;
    }

    @Test
    @DisplayName("a record that starts afresh has no steps and no doubt of its life before")
    default void step_dropped_by_expiry() {
        for (String key : List.of("expired", "marked")) {
            Lease vanished = granted(reexecutable(key));
            step(vanished, "reserve");
            expireLeases();
            settle(granted(reexecutable(key)), notExecuted());
            assertThat(doubt(key)).isNotNull();
        }
        expireRetention();
        assertThat(record("expired").steps()).isEqualTo(Steps.NONE);
        assertFresh("expired");
        prune(10, Expiry.MARK);
        assertThat(record("marked").steps()).isEqualTo(Steps.NONE);
        assertFresh("marked");
    }

    private void assertFresh(String key) {
        StoredRecord fresh = grantedRecord(reexecutable(key));
        assertThat(fresh.steps()).as(key).isEqualTo(Steps.NONE);
        assertThat(fresh.times().doubtSince()).as(key).isNull();
        assertThat(fresh.attempts()).as(key).isEqualTo(1);
        assertThat(still(fresh)).as(key).isEqualTo(still(record(key)));
    }

    @Test
    @DisplayName("C11: a takeover leaves a doubt since the vanished attempt was granted, and the first doubt stays")
    default void doubt_of_takeovers() {
        StoredRecord first = grantedRecord(reexecutable("k"));
        expireLeases();
        StoredRecord second = grantedRecord(reexecutable("k"));
        assertThat(second.times().doubtSince()).isEqualTo(first.times().claimedAt());
        assertThat(second.times().claimedAt()).isAfter(first.times().claimedAt());
        assertThat(second.times().createdAt()).isEqualTo(first.times().createdAt());
        renew(second.lease());
        assertThat(doubt("k")).isEqualTo(first.times().claimedAt());
        expireLeases();
        sweep(10);
        StoredRecord third = grantedRecord(reexecutable("k"));
        assertThat(third.times().doubtSince()).isEqualTo(first.times().claimedAt());
        assertThat(still(third)).isEqualTo(still(record("k")));
    }

    @Test
    @DisplayName("a takeover's doubt goes back to the vanished attempt, not to when the record was new")
    default void doubt_of_a_later_attempt() {
        settle(granted(reexecutable("k")), notExecuted());
        harness().elapse(LEASE);
        StoredRecord second = grantedRecord(reexecutable("k"));
        assertThat(second.times().doubtSince()).isNull();
        assertThat(second.times().claimedAt()).isAfter(second.times().createdAt());
        expireLeases();
        assertThat(grantedRecord(reexecutable("k")).times().doubtSince())
                .isEqualTo(second.times().claimedAt());
    }

    @Test
    @DisplayName("I5: a doubt that outlived a release makes the outcome unknown for who may not execute again")
    default void doubt_refuses_what_is_not_reexecutable() {
        Lease vanished = grantedRecord(reexecutable("k")).lease();
        harness().elapse(LEASE.plusSeconds(1));
        settle(grantedRecord(reexecutable("k")).lease(), notExecuted());

        ClaimAnswer refused = claim("k");

        assertThat(refused).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(record("k").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("k").reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(record("k").fence()).isGreaterThan(vanished.fence());
        assertThat(StoreVerbs.await(store().claim(reexecutable("k")))).isInstanceOf(ClaimAnswer.Unknown.class);
        reconcile(record("k").lease(), notExecuted());
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    @DisplayName("C11: a release does not end the doubt that an earlier attempt has left")
    default void doubt_kept_by_release() {
        Instant vanished = vanish("k");
        settle(granted(reexecutable("k")), notExecuted());
        assertThat(doubt("k")).isEqualTo(vanished);
        assertThat(grantedRecord(reexecutable("k")).times().doubtSince()).isEqualTo(vanished);
    }

    /** Lets a first attempt vanish, and returns when it was granted. */
    private Instant vanish(String key) {
        Instant claimedAt = grantedRecord(reexecutable(key)).times().claimedAt();
        expireLeases();
        return claimedAt;
    }

    @Test
    @DisplayName("a recorded step ends the doubt, and the next crash leaves one since its own attempt")
    default void doubt_ended_by_a_step() {
        vanish("k");
        StoredRecord second = grantedRecord(reexecutable("k"));
        step(second.lease(), "charge");
        assertThat(doubt("k")).isNull();
        expireLeases();
        assertThat(grantedRecord(reexecutable("k")).times().doubtSince())
                .isEqualTo(second.times().claimedAt());
    }

    @Test
    @DisplayName("an unknown outcome keeps the doubt; the verdict that it did not happen ends it")
    default void doubt_ended_by_a_verdict() {
        Instant vanished = vanish("k");
        Lease lease = granted(reexecutable("k"));
        settle(lease, unknown());
        assertThat(doubt("k")).isEqualTo(vanished);
        reconcile(lease, notExecuted());
        assertThat(doubt("k")).isNull();
        assertThat(grantedRecord(reexecutable("k")).times().doubtSince()).isNull();
    }

    @Test
    @DisplayName("a late answer to a takeover that was given up leaves its evidence and no steps")
    default void doubt_and_late_answer() {
        vanish("k");
        Lease lease = granted(reexecutable("k"));
        step(lease, "reserve");
        expireLeases();
        claim("k");
        settle(lease, completed("late"));
        assertThat(record("k").evidence()).isEqualTo(Transitions.LATE_ANSWER);
        assertThat(record("k").steps()).isEqualTo(Steps.NONE);
    }

    @Test
    @DisplayName("recording a step again does no harm, and another result replaces the first")
    default void step_repeated() {
        Lease lease = granted(reexecutable("k"));
        step(lease, "reserve");
        step(lease, "charge", response("first"));
        assertThat(step(lease, "charge", response("first"))).isEqualTo(StepAnswer.RECORDED);
        assertThat(record("k").steps().find("charge")).contains(response("first"));
        assertThat(step(lease, "charge", response("second"))).isEqualTo(StepAnswer.RECORDED);
        expireLeases();
        Steps steps = grantedRecord(reexecutable("k")).steps();
        assertThat(steps.find("charge")).contains(response("second"));
        assertThat(steps.find("reserve")).contains(response("reserve done"));
        assertThat(steps.find("Charge")).isEmpty();
    }

    @Test
    @DisplayName("results of steps come back byte for byte: none, all values, and a mebibyte; names as they are")
    default void step_values() {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        byte[] mebibyte = new byte[1024 * 1024];
        new Random(1).nextBytes(mebibyte);
        Lease lease = granted(reexecutable("k"));
        List<byte[]> results = List.of(new byte[0], new byte[1], everyByte, mebibyte, new byte[0]);
        Steps expected = Steps.NONE;
        for (int i = 0; i < results.size(); i++) {
            Response result = Response.of(results.get(i));
            assertThat(step(lease, "step-" + i, result)).isEqualTo(StepAnswer.RECORDED);
            expected = expected.plus(Steps.of("step-" + i, result));
        }
        for (String name : ValueContract.HOSTILE) {
            assertThat(step(lease, name, response(name))).as(name).isEqualTo(StepAnswer.RECORDED);
            expected = expected.plus(Steps.of(name, response(name)));
        }
        expireLeases();
        assertThat(grantedRecord(reexecutable("k")).steps()).isEqualTo(expected);
    }

    @Test
    @DisplayName("a step is one round trip, and the claim that is given the steps at most two")
    default void step_round_trips() {
        Lease lease = granted(reexecutable("k"));
        long start = harness().roundTrips();
        step(lease, "reserve");
        assertThat(harness().roundTrips() - start).as("step").isEqualTo(1);
        expireLeases();
        long beforeClaim = harness().roundTrips();
        assertThat(grantedRecord(reexecutable("k")).steps()).isEqualTo(steps("reserve"));
        assertThat(harness().roundTrips() - beforeClaim).as("takeover").isBetween(1L, 2L);
    }
}
