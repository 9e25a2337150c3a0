package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What people do with records, and the traces that it leaves. */
public interface OperatorContract extends StoreVerbs {

    Evidence PERSON = new Evidence("person:alice", "ticket 7");

    default AuditEntry last(String key) {
        List<AuditEntry> history = history(key);
        return history.get(history.size() - 1);
    }

    default void assertUnchanged(StoredRecord before, String key) {
        StoredRecord after = record(key);
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.fence()).isEqualTo(before.fence());
        assertThat(after.response()).isEqualTo(before.response());
        assertThat(after.steps()).isEqualTo(before.steps());
        assertThat(after.reconciling()).isEqualTo(before.reconciling());
        assertThat(after.times().expiresAt()).isEqualTo(before.times().expiresAt());
        assertThat(after.times().updatedAt()).isEqualTo(before.times().updatedAt());
        assertThat(after.times().claimedAt()).isEqualTo(before.times().claimedAt());
        Replay.of(history(key)).assertDescribes(after);
    }

    @Test
    @DisplayName("I12: that a person read a response is an entry of the audit, and changes nothing else")
    default void viewed() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        StoredRecord before = record("k");
        assertThat(store().annotate(lease, Change.VIEWED, PERSON)).isEqualTo(new SettleAnswer.Settled(State.COMPLETED));
        assertThat(last("k").change()).isEqualTo(Change.VIEWED);
        assertThat(last("k").who()).isEqualTo("person:alice");
        assertThat(last("k").why()).isEqualTo("ticket 7");
        assertThat(history("k")).hasSize(3);
        assertUnchanged(before, "k");
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("I12: that a person looked at an unknown outcome is an entry of the audit, and changes nothing else")
    default void looked_at() {
        Lease lease = unknownLease("k");
        reschedule(lease, new Reschedule.DeadLetter(0));
        StoredRecord before = record("k");
        assertThat(store().annotate(lease, Change.VIEWED, PERSON)).isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        assertThat(last("k").change()).isEqualTo(Change.VIEWED);
        assertThat(last("k").why()).isEqualTo("ticket 7");
        assertThat(record("k").isDeadLettered()).isTrue();
        assertUnchanged(before, "k");
        assertThat(reconcile(lease, completed("found"))).isInstanceOf(SettleAnswer.Settled.class);
        Replay.of(history("k")).assertDescribes(record("k"));
    }

    @Test
    @DisplayName("I12: that a caller was refused a replay is an entry of the audit, and changes nothing else")
    default void replay_refused() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        StoredRecord before = record("k");
        assertThat(store().annotate(lease, Change.REPLAY_REFUSED, new Evidence("replay-check", "bob")))
                .isEqualTo(new SettleAnswer.Settled(State.COMPLETED));
        assertThat(last("k").change()).isEqualTo(Change.REPLAY_REFUSED);
        assertThat(last("k").who()).isEqualTo("replay-check");
        assertThat(last("k").why()).isEqualTo("bob");
        assertUnchanged(before, "k");
        assertThat(claim("k")).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("I12: a proposal is an entry of the audit, also of a dead letter, and changes nothing else")
    default void proposed() {
        Lease lease = unknownLease("k");
        reschedule(lease, new Reschedule.DeadLetter(0));
        StoredRecord before = record("k");
        assertThat(store().annotate(lease, Change.PROPOSED, PERSON)).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(last("k").change()).isEqualTo(Change.PROPOSED);
        assertThat(record("k").isDeadLettered()).isTrue();
        assertUnchanged(before, "k");
        assertThat(reconcile(lease, completed("found"))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName(
            "I2: an annotation with a stale fence, in another state or of no record is refused, and writes nothing")
    default void annotation_refused() {
        Lease running = granted("running");
        Lease done = granted("done");
        settle(done, completed("done"));
        Lease unknown = unknownLease("unknown");
        for (Change change : List.of(Change.VIEWED, Change.PROPOSED, Change.REPLAY_REFUSED)) {
            refused("running", () -> store().annotate(running, change, PERSON));
            refused("done", () -> store().annotate(new Lease(id("done"), done.fence() + 1), change, PERSON));
            refused("absent", () -> store().annotate(new Lease(id("absent"), 1), change, PERSON));
        }
        refused("done", () -> store().annotate(done, Change.PROPOSED, PERSON));
        refused("unknown", () -> store().annotate(unknown, Change.REPLAY_REFUSED, PERSON));
        expireRetention();
        refused("done", () -> store().annotate(done, Change.VIEWED, PERSON));
    }

    default void refused(String key, java.util.function.Supplier<SettleAnswer> verb) {
        assertThat(changingNothing(key, verb)).isInstanceOf(SettleAnswer.Refused.class);
    }

    @Test
    @DisplayName("I2: a forgotten record is executed again, under a higher fence, and its audit says who forgot it")
    default void forgotten() {
        Lease lease = granted("k");
        step(lease, "reserve", StoreVerbs.response("7"));
        settle(lease, completed("done"));
        assertThat(store().forget(lease, PERSON)).isEqualTo(new SettleAnswer.Settled(State.COMPLETED));
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.EXPIRED);
        assertThat(record.response()).isNull();
        assertThat(record.steps().isEmpty()).isTrue();
        Replay.of(history("k")).assertDescribes(record);
        assertThat(last("k").change()).isEqualTo(Change.FORGOTTEN);
        assertThat(last("k").who()).isEqualTo("person:alice");
        Lease next = granted("k");
        assertThat(next.fence()).isGreaterThan(lease.fence());
        assertThat(record("k").attempts()).isEqualTo(1);
        assertThat(settle(lease, completed("stale"))).isInstanceOf(SettleAnswer.Refused.class);
        Replay.of(history("k")).assertDescribes(record("k"));
    }

    @Test
    @DisplayName("a forgotten record is pruned like one whose retention has passed")
    default void forgotten_pruned() {
        Lease lease = granted("k");
        settle(lease, notExecuted());
        assertThat(store().forget(lease, PERSON)).isInstanceOf(SettleAnswer.Settled.class);
        assertThat(prune(10, Expiry.MARK)).isZero();
        assertThat(prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(find("k")).isEmpty();
    }

    @Test
    @DisplayName("I1: what is in progress or unknown cannot be forgotten, nor with a stale fence")
    default void forgetting_refused() {
        Lease running = granted("running");
        refused("running", () -> store().forget(running, PERSON));
        Lease unknown = unknownLease("unknown");
        refused("unknown", () -> store().forget(unknown, PERSON));
        Lease done = granted("done");
        settle(done, completed("done"));
        refused("done", () -> store().forget(new Lease(id("done"), done.fence() - 1), PERSON));
        refused("absent", () -> store().forget(new Lease(id("absent"), 1), PERSON));
        expireRetention();
        refused("done", () -> store().forget(done, PERSON));
    }
}
