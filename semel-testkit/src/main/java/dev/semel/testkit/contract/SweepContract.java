package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I11: no attempt that has vanished stays unnoticed, and nothing else is noticed. */
public interface SweepContract extends StoreVerbs {

    /** Ends the loop of a store that hands out the same records for ever. */
    int MORE_THAN_ALL = 1000;

    @Test
    @DisplayName("I11: an expired lease becomes unknown, with the reason, and is to be asked about at once")
    default void sweep_gives_up() {
        Lease lease = granted("k");
        StoredRecord before = record("k");
        expireLeases();
        List<StoredRecord> swept = sweep(10);
        assertThat(swept).extracting(StoredRecord::identity).containsExactly(id("k"));
        StoredRecord record = record("k");
        assertThat(still(swept.get(0))).isEqualTo(still(record));
        assertThat(record.state()).isEqualTo(State.UNKNOWN);
        assertThat(record.reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(record.fence()).isEqualTo(lease.fence());
        assertThat(record.attempts()).isEqualTo(1);
        assertThat(record.holder()).isEqualTo(before.holder());
        assertThat(record.fingerprint()).isEqualTo(FINGERPRINT);
        assertThat(record.evidence()).isNull();
        assertThat(record.times().lockedUntil()).isNull();
        assertThat(record.times().expiresAt()).isNull();
        assertThat(record.times().createdAt()).isEqualTo(before.times().createdAt());
        assertThat(record.times().claimedAt()).isEqualTo(before.times().claimedAt());
        assertThat(record.times().updatedAt()).isAfter(before.times().updatedAt());
        assertThat(record.reconciling())
                .isEqualTo(new StoredRecord.Reconciling(
                        record.times().updatedAt(), 0, record.times().updatedAt()));
        assertThat(sweep(10)).isEmpty();
    }

    @Test
    @DisplayName("live leases and settled records are left as they are")
    default void sweep_leaves() {
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        unknownLease("unknown");
        Lease renewed = granted("renewed");
        expireLeases();
        renew(renewed);
        granted("live");
        granted(reexecutable("live-reexecutable"));
        for (String key : List.of("completed", "failed", "unknown", "renewed", "live", "live-reexecutable", "absent")) {
            assertThat(changingNothing(key, () -> sweep(10))).as(key).isEmpty();
        }
        expireRetention();
        renew(renewed);
        assertThat(sweep(10))
                .extracting(StoredRecord::identity)
                .containsExactlyInAnyOrder(id("live"), id("live-reexecutable"));
        assertThat(record("completed").state()).isEqualTo(State.EXPIRED);
        assertThat(record("failed").state()).isEqualTo(State.EXPIRED);
    }

    @Test
    @DisplayName("an expired lease of a re-executable operation stays in progress, and is noticed once")
    default void sweep_reoffers() {
        granted(reexecutable("k"));
        StoredRecord before = record("k");
        expireLeases();
        List<StoredRecord> swept = sweep(10);
        assertThat(swept).hasSize(1);
        StoredRecord record = record("k");
        assertThat(still(swept.get(0))).isEqualTo(still(record));
        assertThat(record.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record.reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(record.fence()).isEqualTo(before.fence());
        assertThat(record.attempts()).isEqualTo(1);
        assertThat(record.times().lockedUntil()).isEqualTo(before.times().lockedUntil());
        assertThat(record.times().doubtSince()).isNull();
        assertThat(record.reconciling()).isNull();
        assertThat(changingNothing("k", () -> sweep(10))).isEmpty();
        expireRetention();
        assertThat(changingNothing("k", () -> sweep(10))).isEmpty();
    }

    @Test
    @DisplayName("the next claim takes a re-offered record over, and its lease is noticed anew when it expires")
    default void sweep_then_takeover() {
        Lease vanished = granted(reexecutable("k"));
        for (int attempt = 2; attempt <= 4; attempt++) {
            expireLeases();
            assertThat(sweep(10)).hasSize(1);
            Lease lease = granted(reexecutable("k"));
            assertThat(lease.fence()).isGreaterThan(vanished.fence());
            StoredRecord record = record("k");
            assertThat(record.attempts()).isEqualTo(attempt);
            assertThat(record.reason()).isNull();
            assertThat(settle(vanished, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
            assertThat(sweep(10)).isEmpty();
            vanished = lease;
        }
    }

    @Test
    @DisplayName("I5: a claim that is not re-executable turns a re-offered record unknown")
    default void sweep_then_plain_claim() {
        granted(reexecutable("k"));
        expireLeases();
        sweep(10);
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(record("k").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("k").reason()).isEqualTo(StoredRecord.LEASE_EXPIRED);
        assertThat(sweep(10)).isEmpty();
    }

    @Test
    @DisplayName("a heartbeat revives a re-offered record and clears the mark, but not one that became unknown")
    default void sweep_then_renewal() {
        Lease reoffered = granted(reexecutable("reoffered"));
        Lease unknown = granted("unknown");
        expireLeases();
        assertThat(sweep(10)).hasSize(2);
        assertThat(renew(reoffered)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(record("reoffered").reason()).isNull();
        assertThat(claim(reexecutable("reoffered"))).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(changingNothing("unknown", () -> renew(unknown))).isEqualTo(RenewAnswer.LOST);
        expireLeases();
        assertThat(sweep(10)).extracting(StoredRecord::identity).containsExactly(id("reoffered"));
    }

    @Test
    @DisplayName("the answer of an attempt that was given up too early is accepted, a release of it is not")
    default void sweep_then_late_answer() {
        Lease lease = granted("k");
        expireLeases();
        sweep(10);
        assertThat(changingNothing("k", () -> settle(lease, notExecuted()))).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(settle(lease, completed("late"))).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.COMPLETED);
        assertThat(record.response()).isEqualTo(response("late"));
        assertThat(record.evidence()).isEqualTo(Transitions.LATE_ANSWER);
        assertThat(record.reconciling()).isNull();
    }

    @Test
    @DisplayName("a re-offered record that was not taken over can be completed or released by its holder")
    default void sweep_then_settlement() {
        Lease completed = granted(reexecutable("completed"));
        Lease released = granted(reexecutable("released"));
        expireLeases();
        assertThat(sweep(10)).hasSize(2);
        assertThat(settle(completed, completed("late"))).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(settle(released, notExecuted())).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(record("completed").reason()).isNull();
        assertThat(record("completed").evidence()).isNull();
        assertThat(record("released").reason()).isEqualTo("declined_before_dispatch");
    }

    @Test
    @DisplayName("I7: another fingerprint is a mismatch for swept records too")
    default void sweep_then_mismatch() {
        granted("unknown");
        granted(reexecutable("reoffered"));
        expireLeases();
        assertThat(sweep(10)).hasSize(2);
        for (String key : List.of("unknown", "reoffered")) {
            ClaimRequest other = reexecutable(key).withFingerprint(OTHER_FINGERPRINT);
            assertThat(changingNothing(key, () -> claim(other))).isInstanceOf(ClaimAnswer.Mismatch.class);
        }
    }

    @Test
    @DisplayName("sweeping works in batches, those that expired first come first")
    default void sweep_batches() {
        for (int i = 0; i < 7; i++) {
            ClaimRequest base = i % 2 == 0 ? request("k" + i) : reexecutable("k" + i);
            granted(new ClaimRequest(
                    base.identity(),
                    OPERATION,
                    FINGERPRINT,
                    Duration.ofMinutes(7 - i),
                    base.reexecutable(),
                    base.holder()));
        }
        harness().elapse(Duration.ofHours(1));
        assertThat(sweep(0)).isEmpty();
        assertThat(sweep(3)).extracting(StoredRecord::identity).containsExactlyInAnyOrder(id("k6"), id("k5"), id("k4"));
        assertThat(sweep(3)).extracting(StoredRecord::identity).containsExactlyInAnyOrder(id("k3"), id("k2"), id("k1"));
        assertThat(sweep(3)).extracting(StoredRecord::identity).containsExactly(id("k0"));
        assertThat(sweep(3)).isEmpty();
    }

    @Test
    @DisplayName("I11: sweepers at once notice every expired lease, each exactly once")
    default void sweep_race() throws Exception {
        Set<Identity> all = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            String key = "k" + i;
            granted(i % 2 == 0 ? request(key) : reexecutable(key));
            all.add(id(key));
        }
        expireLeases();
        List<Callable<List<StoredRecord>>> sweepers = new ArrayList<>();
        for (Store handle :
                List.of(store(), harness().another(), store(), harness().another())) {
            sweepers.add(() -> sweepAll(handle));
        }
        List<StoredRecord> swept =
                Together.run(sweepers).stream().flatMap(List::stream).toList();
        assertThat(swept).hasSize(all.size());
        assertThat(swept).extracting(StoredRecord::identity).doesNotHaveDuplicates();
        for (int i = 0; i < 200; i++) {
            assertThat(history("k" + i))
                    .extracting(AuditEntry::change)
                    .containsExactly(Change.GRANTED, i % 2 == 0 ? Change.GIVEN_UP : Change.REOFFERED);
        }
    }

    private static List<StoredRecord> sweepAll(Store handle) {
        List<StoredRecord> swept = new ArrayList<>();
        List<StoredRecord> batch;
        do {
            batch = handle.sweep(7);
            swept.addAll(batch);
        } while (!batch.isEmpty() && swept.size() < MORE_THAN_ALL);
        return swept;
    }

    @Test
    @DisplayName("an answer that arrives during a sweep is never lost")
    default void sweep_against_completion() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            leases.add(granted(i % 2 == 0 ? request("k" + i) : reexecutable("k" + i)));
        }
        expireLeases();
        List<Callable<List<StoredRecord>>> tasks = List.of(
                () -> sweepAll(store()),
                () -> {
                    for (Lease lease : leases) {
                        StoreVerbs.await(harness().another().settle(lease, completed("done"), RETENTION));
                    }
                    return List.of();
                },
                () -> sweepAll(harness().another()));
        Together.run(tasks);
        for (int i = 0; i < 100; i++) {
            assertThat(record("k" + i).response()).isEqualTo(response("done"));
            assertThat(record("k" + i).reconciling()).isNull();
        }
    }
}
