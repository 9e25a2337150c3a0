package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** I12: the history has an entry for every change, with who made it, when and why, and no other entries. */
public interface AuditContract extends StoreVerbs {

    /** An expected entry, without its number and time. */
    record Expected(
            Change change,
            @Nullable State from,
            State to,
            long fence,
            String who,
            @Nullable String why) {

        static Expected of(AuditEntry entry) {
            return new Expected(entry.change(), entry.from(), entry.to(), entry.fence(), entry.who(), entry.why());
        }
    }

    /** Expects that this is what the last entry says, written with the record as it is now; and lets time pass. */
    private void assertLast(String key, int entries, Expected expected) {
        List<AuditEntry> history = history(key);
        assertThat(history).as("%s of %s", expected.change(), key).hasSize(entries);
        AuditEntry last = history.get(entries - 1);
        assertThat(Expected.of(last)).isEqualTo(expected);
        assertThat(last.identity()).isEqualTo(id(key));
        assertThat(last.at()).isEqualTo(record(key).times().updatedAt());
        assertThat(record(key).state()).isEqualTo(expected.to());
        assertThat(record(key).fence()).isEqualTo(expected.fence());
        assertThat(history).extracting(AuditEntry::number).isSorted().doesNotHaveDuplicates();
        harness().elapse(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("I12: grants, steps, releases and completion have entries in the holder's name")
    default void audit_of_attempts() {
        ClaimRequest first = request("k");
        Lease lease = granted(first);
        long fence = lease.fence();
        assertLast("k", 1, new Expected(Change.GRANTED, null, State.IN_PROGRESS, fence, first.holder(), null));
        step(lease, "reserve", response("r"));
        assertLast(
                "k",
                2,
                new Expected(Change.STEP, State.IN_PROGRESS, State.IN_PROGRESS, fence, first.holder(), "reserve"));
        settle(lease, notExecuted());
        assertLast(
                "k",
                3,
                new Expected(
                        Change.SETTLED,
                        State.IN_PROGRESS,
                        State.FAILED_RETRYABLE,
                        fence,
                        first.holder(),
                        "declined_before_dispatch"));
        ClaimRequest second = request("k");
        Lease again = granted(second);
        fence = again.fence();
        assertLast(
                "k",
                4,
                new Expected(Change.GRANTED, State.FAILED_RETRYABLE, State.IN_PROGRESS, fence, second.holder(), null));
        settle(again, completed("done"));
        assertLast(
                "k", 5, new Expected(Change.SETTLED, State.IN_PROGRESS, State.COMPLETED, fence, second.holder(), null));
    }

    @Test
    @DisplayName("the request that a claim was made for is on its record, and in its history for each claim")
    default void audit_of_requests() {
        String longest = "PUT /" + "\u4e16".repeat(195);
        Lease lease = granted(describedAs("POST /payments/42 \ud83d\ude00"));
        assertThat(record("k").request()).isEqualTo("POST /payments/42 \ud83d\ude00");
        settle(lease, notExecuted());
        Lease again = granted(describedAs(longest));
        assertThat(record("k").request()).isEqualTo(longest);
        settle(again, completed("done"));

        assertThat(record("k").request()).isEqualTo(longest);
        assertThat(history("k"))
                .filteredOn(entry -> entry.change() == Change.GRANTED)
                .extracting(AuditEntry::request)
                .containsExactly("POST /payments/42 \ud83d\ude00", longest);
        assertThat(AuditEntry.completedAt(history("k"), again.fence()))
                .isEqualTo(record("k").times().updatedAt());
        assertThat(AuditEntry.completedAt(history("k"), lease.fence())).isNull();
    }

    private ClaimRequest describedAs(String request) {
        ClaimRequest base = request("k");
        return heldBy(base, Holder.text(base.holder(), request));
    }

    private static ClaimRequest heldBy(ClaimRequest base, String holder) {
        return new ClaimRequest(
                base.identity(), base.operation(), base.fingerprint(), base.lease(), base.reexecutable(), holder);
    }

    @Test
    @DisplayName("the outline of a request is on its record, as long as it may be, and in no entry of its history")
    default void audit_of_outlines() {
        List<ClaimRequest> claims = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ClaimRequest base = reexecutable("k");
            String named = Holder.text(base.holder(), "POST /payments/4\u4e16", "");
            int room = Holder.MOST_BYTES - named.getBytes(StandardCharsets.UTF_8).length;
            claims.add(heldBy(base, named + "o".repeat(room)));
        }
        Lease lease = granted(claims.get(0));
        step(lease, "reserve", response("r"));
        settle(lease, notExecuted());
        Lease vanished = granted(claims.get(1));
        assertThat(claim(claims.get(1))).isInstanceOf(ClaimAnswer.Granted.class);
        expireLeases();
        settle(granted(claims.get(2)), unknown());

        assertThat(record("k").holder()).isEqualTo(claims.get(2).holder());
        assertThat(record("k").request()).isEqualTo("POST /payments/4\u4e16");
        assertThat(claim(request("k").withFingerprint(OTHER_FINGERPRINT)))
                .isInstanceOfSatisfying(
                        ClaimAnswer.Mismatch.class,
                        mismatch -> assertThat(mismatch.record().holder())
                                .isEqualTo(claims.get(2).holder()));
        assertThat(history("k"))
                .hasSize(6)
                .allSatisfy(entry -> assertThat(entry.who())
                        .isIn(claims.stream()
                                .map(each -> Holder.withoutOutline(each.holder()))
                                .toList()));
        assertThat(vanished.fence()).isLessThan(record("k").fence());
        Replay.of(history("k")).assertDescribes(record("k"));
    }

    @Test
    @DisplayName("I12: unknown outcomes, the late answer to one and the verdict on another have entries")
    default void audit_of_unknown_outcomes() {
        ClaimRequest first = request("late");
        Lease late = granted(first);
        settle(late, unknown());
        assertLast(
                "late",
                2,
                new Expected(
                        Change.SETTLED, State.IN_PROGRESS, State.UNKNOWN, late.fence(), first.holder(), "timeout"));
        settle(late, completed("done"));
        assertLast(
                "late",
                3,
                new Expected(Change.SETTLED, State.UNKNOWN, State.COMPLETED, late.fence(), first.holder(), null));
        for (boolean happened : new boolean[] {true, false}) {
            String key = "verdict-" + happened;
            Lease lease = unknownLease(key);
            reconcile(lease, happened ? completed("found") : notExecuted());
            State to = happened ? State.COMPLETED : State.FAILED_RETRYABLE;
            assertLast(
                    key,
                    3,
                    new Expected(
                            Change.RECONCILED, State.UNKNOWN, to, lease.fence(), EVIDENCE.source(), EVIDENCE.detail()));
        }
    }

    @Test
    @DisplayName("I12: an expired lease has an entry with who noticed it and what became of it")
    default void audit_of_expired_leases() {
        long claimed = granted("claimed").fence();
        long swept = granted("swept").fence();
        ClaimRequest vanished = reexecutable("taken-over");
        long reoffered = granted(vanished).fence();
        expireLeases();
        ClaimRequest noticing = request("claimed");
        claim(noticing);
        String why = StoredRecord.LEASE_EXPIRED;
        assertLast(
                "claimed",
                2,
                new Expected(Change.GIVEN_UP, State.IN_PROGRESS, State.UNKNOWN, claimed, noticing.holder(), why));
        sweep(10);
        assertLast(
                "swept",
                2,
                new Expected(Change.GIVEN_UP, State.IN_PROGRESS, State.UNKNOWN, swept, AuditEntry.SWEEPER, why));
        assertLast(
                "taken-over",
                2,
                new Expected(
                        Change.REOFFERED, State.IN_PROGRESS, State.IN_PROGRESS, reoffered, AuditEntry.SWEEPER, why));
        ClaimRequest next = reexecutable("taken-over");
        long fence = granted(next).fence();
        assertLast(
                "taken-over",
                3,
                new Expected(Change.TAKEN_OVER, State.IN_PROGRESS, State.IN_PROGRESS, fence, next.holder(), null));
    }

    @Test
    @DisplayName("I12: each step of the search for evidence has an entry, with the grounds")
    default void audit_of_reschedules() {
        Lease lease = unknownLease("k");
        due(10);
        int entries = 2;
        List<Reschedule> reschedules =
                List.of(new Reschedule.RetryAfter(1, HOLD), new Reschedule.DeadLetter(1), new Reschedule.Reset());
        List<Change> changes = List.of(Change.RESCHEDULED, Change.DEAD_LETTERED, Change.REQUEUED);
        for (int i = 0; i < reschedules.size(); i++) {
            reschedule(lease, reschedules.get(i));
            entries++;
            assertLast(
                    "k",
                    entries,
                    new Expected(
                            changes.get(i),
                            State.UNKNOWN,
                            State.UNKNOWN,
                            lease.fence(),
                            EVIDENCE.source(),
                            EVIDENCE.detail()));
        }
    }

    @Test
    @DisplayName("I12: soft pruning has one entry, a grant after expiry too, and the history continues")
    default void audit_of_expiry() {
        Lease completed = granted("completed");
        Lease failed = granted("failed");
        Lease unmarked = granted("unmarked");
        settle(completed, completed("done"));
        settle(failed, notExecuted());
        settle(unmarked, completed("done"));
        expireRetention();
        ClaimRequest next = request("unmarked");
        Lease reused = granted(next);
        assertLast(
                "unmarked",
                3,
                new Expected(Change.GRANTED, State.EXPIRED, State.IN_PROGRESS, reused.fence(), next.holder(), null));
        assertThat(prune(10, Expiry.MARK)).isEqualTo(2);
        assertThat(prune(10, Expiry.MARK)).isZero();
        String who = AuditEntry.PRUNING;
        assertLast(
                "completed",
                3,
                new Expected(Change.EXPIRED, State.COMPLETED, State.EXPIRED, completed.fence(), who, null));
        assertLast(
                "failed",
                3,
                new Expected(Change.EXPIRED, State.FAILED_RETRYABLE, State.EXPIRED, failed.fence(), who, null));
        ClaimRequest after = request("completed");
        Lease fresh = granted(after);
        assertLast(
                "completed",
                4,
                new Expected(Change.GRANTED, State.EXPIRED, State.IN_PROGRESS, fresh.fence(), after.holder(), null));
    }

    @Test
    @DisplayName("a record that is deleted takes its history along, and only its own")
    default void audit_deleted() {
        settle(granted("k"), completed("done"));
        settle(granted("marked"), completed("done"));
        settle(granted(request(Identity.of("globex", "k"))), completed("done"), RETENTION.multipliedBy(3));
        expireRetention();
        prune(1, Expiry.MARK);
        assertThat(prune(10, Expiry.DELETE)).isEqualTo(2);
        assertThat(history("k")).isEmpty();
        assertThat(history("marked")).isEmpty();
        assertThat(store().history(Identity.of("globex", "k"))).hasSize(2);
        ClaimRequest anew = request("k");
        Lease lease = granted(anew);
        assertLast("k", 1, new Expected(Change.GRANTED, null, State.IN_PROGRESS, lease.fence(), anew.holder(), null));
    }

    @Test
    @DisplayName("what changes nothing has no entry: answers, refusals, heartbeats, and taking a record to ask")
    default void audit_of_nothing() {
        assertThat(history("never")).isEmpty();
        ClaimRequest running = reexecutable("running");
        Lease live = granted(running);
        Lease done = granted("done");
        settle(done, completed("done"));
        Lease failed = granted("failed");
        settle(failed, notExecuted());
        Lease open = unknownLease("open");
        List<AuditEntry> before = all();
        for (Lease lease : List.of(live, done, failed, open)) {
            String key = lease.identity().key().value();
            claim(request(key).withFingerprint(OTHER_FINGERPRINT));
            Lease stale = new Lease(lease.identity(), lease.fence() - 1);
            settle(stale, completed("stale"));
            reconcile(stale, completed("stale"));
            step(stale, "stale", response("stale"));
            reschedule(stale, new Reschedule.Reset());
            renew(stale);
        }
        claim(running);
        claim("running");
        claim("done");
        claim("open");
        renew(live);
        due(10);
        reconcile(live, completed("x"));
        settle(open, notExecuted());
        reschedule(open, new Reschedule.RetryAfter(7, HOLD));
        step(done, "x", response("x"));
        sweep(10);
        prune(10, Expiry.MARK);
        assertThat(all()).isEqualTo(before);
        assertThat(history("never")).isEmpty();
    }

    private List<AuditEntry> all() {
        return List.of("running", "done", "failed", "open").stream()
                .flatMap(key -> history(key).stream())
                .toList();
    }

    @Test
    @DisplayName("I12: simultaneous changes of one record have entries one after the other, each as it happened")
    default void audit_under_contention() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "k" + round;
            Lease lease = granted(key);
            expireLeases();
            Together.run(List.of(
                    () -> sweep(10),
                    () -> claim(key),
                    () -> settle(lease, completed("done")),
                    () -> harness().another().sweep(10),
                    () -> step(lease, "step", response("s"))));
            Replay.of(history(key)).assertDescribes(record(key));
        }
    }
}
