package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record as its history describes it, entry by entry.
 *
 * <p>Knows every hop that {@code docs/explanation/state-machine.md} has, and accepts no other.
 */
final class Replay {

    /** A change that exists, from one state to another; null is absence. */
    record Hop(Change change, @Nullable State from, State to) {

        static Hop of(AuditEntry entry) {
            return new Hop(entry.change(), entry.from(), entry.to());
        }
    }

    static final Set<Hop> HOPS = Set.of(
            new Hop(Change.GRANTED, null, State.IN_PROGRESS),
            new Hop(Change.GRANTED, State.EXPIRED, State.IN_PROGRESS),
            new Hop(Change.GRANTED, State.FAILED_RETRYABLE, State.IN_PROGRESS),
            new Hop(Change.TAKEN_OVER, State.IN_PROGRESS, State.IN_PROGRESS),
            new Hop(Change.STEP, State.IN_PROGRESS, State.IN_PROGRESS),
            new Hop(Change.REOFFERED, State.IN_PROGRESS, State.IN_PROGRESS),
            new Hop(Change.SETTLED, State.IN_PROGRESS, State.COMPLETED),
            new Hop(Change.SETTLED, State.IN_PROGRESS, State.FAILED_RETRYABLE),
            new Hop(Change.GIVEN_UP, State.FAILED_RETRYABLE, State.UNKNOWN),
            new Hop(Change.SETTLED, State.IN_PROGRESS, State.UNKNOWN),
            new Hop(Change.SETTLED, State.UNKNOWN, State.COMPLETED),
            new Hop(Change.GIVEN_UP, State.IN_PROGRESS, State.UNKNOWN),
            new Hop(Change.RECONCILED, State.UNKNOWN, State.COMPLETED),
            new Hop(Change.RECONCILED, State.UNKNOWN, State.FAILED_RETRYABLE),
            new Hop(Change.RESCHEDULED, State.UNKNOWN, State.UNKNOWN),
            new Hop(Change.DEAD_LETTERED, State.UNKNOWN, State.UNKNOWN),
            new Hop(Change.REQUEUED, State.UNKNOWN, State.UNKNOWN),
            new Hop(Change.VIEWED, State.COMPLETED, State.COMPLETED),
            new Hop(Change.VIEWED, State.UNKNOWN, State.UNKNOWN),
            new Hop(Change.REPLAY_REFUSED, State.COMPLETED, State.COMPLETED),
            new Hop(Change.PROPOSED, State.UNKNOWN, State.UNKNOWN),
            new Hop(Change.FORGOTTEN, State.COMPLETED, State.EXPIRED),
            new Hop(Change.FORGOTTEN, State.FAILED_RETRYABLE, State.EXPIRED),
            new Hop(Change.EXPIRED, State.COMPLETED, State.EXPIRED),
            new Hop(Change.EXPIRED, State.FAILED_RETRYABLE, State.EXPIRED));

    private static final Set<Change> GRANTS = EnumSet.of(Change.GRANTED, Change.TAKEN_OVER);
    private static final Set<State> EXPIRING = EnumSet.of(State.COMPLETED, State.FAILED_RETRYABLE);

    private @Nullable AuditEntry last;
    private String holder = "";
    private int attempts;
    private boolean deadLettered;
    private boolean stepped;
    private boolean reoffered;

    private Replay() {}

    static Replay of(List<AuditEntry> history) {
        Replay replay = new Replay();
        history.forEach(replay::add);
        return replay;
    }

    private void add(AuditEntry entry) {
        assertThat(HOPS).as("the hop of %s", entry).contains(Hop.of(entry));
        assertFollows(entry);
        if (GRANTS.contains(entry.change())) {
            boolean fresh = entry.from() == null || entry.from() == State.EXPIRED;
            attempts = fresh ? 1 : attempts + 1;
            stepped &= !fresh;
            holder = entry.who();
        }
        deadLettered = entry.change() == Change.DEAD_LETTERED
                || (deadLettered && !entry.change().changesRecord());
        reoffered = entry.change() == Change.REOFFERED || (reoffered && entry.change() == Change.STEP);
        stepped = entry.change() == Change.STEP
                || (stepped && entry.to() != State.COMPLETED && entry.to() != State.EXPIRED);
        last = entry;
    }

    private void assertFollows(AuditEntry entry) {
        if (last == null) {
            assertThat(entry.from()).as("what was before %s", entry).isNull();
            return;
        }
        assertThat(entry.number()).as("the number of %s", entry).isGreaterThan(last.number());
        assertThat(entry.at()).as("the time of %s", entry).isAfterOrEqualTo(last.at());
        if (GRANTS.contains(entry.change())) {
            assertThat(entry.fence()).as("the fence of %s", entry).isGreaterThan(last.fence());
        } else {
            assertThat(entry.fence()).as("the fence of %s", entry).isEqualTo(last.fence());
        }
        boolean unnoticedExpiry = entry.from() == State.EXPIRED && EXPIRING.contains(last.to());
        if (!unnoticedExpiry) {
            assertThat(entry.from()).as("what was before %s", entry).isEqualTo(last.to());
        }
    }

    /** Expects that the history describes this very record. */
    void assertDescribes(StoredRecord record) {
        if (last == null) {
            throw new AssertionError("the history has no entry of " + record);
        }
        boolean unnoticedExpiry = record.state() == State.EXPIRED && EXPIRING.contains(last.to());
        if (!unnoticedExpiry) {
            assertThat(last.to()).as("%s", record).isEqualTo(record.state());
        }
        assertThat(last.identity()).isEqualTo(record.identity());
        assertThat(last.fence()).as("%s", record).isEqualTo(record.fence());
        if (last.change().changesRecord()) {
            assertThat(last.at())
                    .as("%s", record)
                    .isBeforeOrEqualTo(record.times().updatedAt());
        }
        assertThat(attempts).as("%s", record).isEqualTo(record.attempts());
        assertThat(holder).as("%s", record).isEqualTo(Holder.withoutOutline(record.holder()));
        assertThat(deadLettered).as("%s", record).isEqualTo(record.isDeadLettered());
        assertThat(stepped && !unnoticedExpiry)
                .as("%s", record)
                .isEqualTo(!record.steps().isEmpty());
        if (record.state() == State.IN_PROGRESS && record.reason() != null) {
            assertThat(reoffered).as("%s", record).isTrue();
        }
    }
}
