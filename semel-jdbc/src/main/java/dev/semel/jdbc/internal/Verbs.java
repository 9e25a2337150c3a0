package dev.semel.jdbc.internal;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.Deleted;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each verb does while it holds the lock: reads, decides by {@link Transitions}, and writes what {@link Changes} says.
 *
 * <p>It works the same in a transaction of the store's own and in one of the application's, and on every database.
 */
public final class Verbs {

    private Verbs() {}

    /** The answer to a claim that needs no write; null when the decision needs one. */
    public static @Nullable ClaimAnswer answer(Transitions.ClaimDecision decision, StoredRecord current) {
        return switch (decision) {
            case GRANT_SAME -> new ClaimAnswer.Granted(current);
            case ANSWER_MISMATCH -> new ClaimAnswer.Mismatch(current);
            case ANSWER_RECORDED -> new ClaimAnswer.Recorded(current);
            case ANSWER_BUSY -> new ClaimAnswer.Busy(current.leaseRemaining());
            case ANSWER_UNKNOWN -> new ClaimAnswer.Unknown(current, false);
            case ANSWER_TOO_LATE -> new ClaimAnswer.TooLate();
            case ANSWER_TOO_EARLY -> new ClaimAnswer.TooEarly();
            case GRANT_NEW, GRANT_AGAIN, BECOME_UNKNOWN -> null;
        };
    }

    public static ClaimAnswer claim(Records records, ClaimRequest request) throws SQLException {
        StoredRecord current = records.find(request.identity());
        Transitions.ClaimDecision decision = current == null
                ? Transitions.onAbsent(request, records.deleted(request), records.at())
                : Transitions.onClaim(current, request, Deleted.unread(records.keepsTombstones()));
        if (decision == Transitions.ClaimDecision.ANSWER_TOO_LATE) {
            return new ClaimAnswer.TooLate();
        }
        if (decision == Transitions.ClaimDecision.ANSWER_TOO_EARLY) {
            return new ClaimAnswer.TooEarly();
        }
        if (current == null || decision == Transitions.ClaimDecision.GRANT_NEW) {
            StoredRecord granted = Changes.granted(request, records.nextFence(request.identity()), records.at());
            return grant(records, current, granted, Change.GRANTED);
        }
        if (decision == Transitions.ClaimDecision.GRANT_AGAIN) {
            StoredRecord granted = Changes.grantedAgain(current, request, records.nextFence(request.identity()));
            return grant(
                    records,
                    current,
                    granted,
                    current.state() == State.IN_PROGRESS ? Change.TAKEN_OVER : Change.GRANTED);
        }
        ClaimAnswer answer = answer(decision, current);
        if (answer != null) {
            return answer;
        }
        StoredRecord unknown = Changes.givenUp(current);
        records.change(current, unknown, new Note(Change.GIVEN_UP, request.holder(), unknown.reason()));
        return new ClaimAnswer.Unknown(unknown, true);
    }

    private static ClaimAnswer grant(
            Records records, @Nullable StoredRecord before, StoredRecord granted, Change change) throws SQLException {
        records.change(before, granted, new Note(change, granted.holder(), null));
        return new ClaimAnswer.Granted(granted);
    }

    public static SettleAnswer settle(Records records, Lease lease, Outcome outcome, Duration retention)
            throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.maySettle(current, lease, outcome)) {
            return refused(current);
        }
        StoredRecord after = Changes.settled(current, outcome, retention);
        return settled(records, current, after, new Note(Change.SETTLED, current.holder(), after.reason()));
    }

    public static SettleAnswer reconcile(
            Records records, Lease lease, Outcome outcome, Evidence evidence, Duration retention) throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.mayReconcile(current, lease, outcome)) {
            return refused(current);
        }
        StoredRecord after = Changes.reconciled(current, outcome, retention, evidence);
        return settled(records, current, after, Note.of(Change.RECONCILED, evidence));
    }

    public static SettleAnswer reschedule(Records records, Lease lease, Reschedule reschedule, Evidence evidence)
            throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null
                || current.reconciling() == null
                || !Transitions.mayReschedule(current, lease, reschedule)) {
            return refused(current);
        }
        StoredRecord after = Changes.rescheduled(current, current.reconciling(), reschedule);
        return settled(records, current, after, Note.of(Transitions.changeOf(reschedule), evidence));
    }

    public static SettleAnswer annotate(Records records, Lease lease, Change change, Evidence evidence)
            throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.mayAnnotate(current, lease, change)) {
            return refused(current);
        }
        return settled(records, current, current, Note.of(change, evidence));
    }

    public static SettleAnswer forget(Records records, Lease lease, Evidence evidence) throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.mayForget(current, lease)) {
            return refused(current);
        }
        return settled(records, current, Changes.forgotten(current), Note.of(Change.FORGOTTEN, evidence));
    }

    public static SettleAnswer refused(@Nullable StoredRecord current) {
        return new SettleAnswer.Refused(Optional.ofNullable(current));
    }

    private static SettleAnswer settled(Records records, StoredRecord before, StoredRecord after, Note note)
            throws SQLException {
        records.change(before, after, note);
        return new SettleAnswer.Settled(before.state());
    }

    public static RenewAnswer renew(Records records, Lease lease, Duration duration) throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.mayRenew(current, lease)) {
            return RenewAnswer.LOST;
        }
        records.rewrite(Changes.renewed(current, duration));
        return RenewAnswer.RENEWED;
    }

    public static StepAnswer step(Records records, Lease lease, String name, Response result) throws SQLException {
        StoredRecord current = records.find(lease.identity());
        if (current == null || !Transitions.mayRenew(current, lease)) {
            return StepAnswer.LOST;
        }
        records.change(current, Changes.stepped(current, name, result), new Note(Change.STEP, current.holder(), name));
        return StepAnswer.RECORDED;
    }

    public static List<StoredRecord> sweep(Records records, int limit) throws SQLException {
        List<StoredRecord> swept = new ArrayList<>();
        for (StoredRecord current : records.expiredLeases(limit)) {
            switch (Transitions.onSweep(current)) {
                case GIVE_UP -> swept.add(swept(records, current, Changes.givenUp(current), Change.GIVEN_UP));
                case REOFFER -> swept.add(swept(records, current, Changes.reoffered(current), Change.REOFFERED));
                case LEAVE -> {}
            }
        }
        return swept;
    }

    private static StoredRecord swept(Records records, StoredRecord before, StoredRecord after, Change change)
            throws SQLException {
        records.change(before, after, new Note(change, AuditEntry.SWEEPER, after.reason()));
        return after;
    }

    public static List<StoredRecord> due(Records records, String operation, int limit, Duration hold)
            throws SQLException {
        List<StoredRecord> taken = new ArrayList<>();
        for (StoredRecord current : records.due(operation, limit)) {
            if (current.reconciling() != null && Transitions.isDue(current)) {
                StoredRecord after = Changes.taken(current, current.reconciling(), hold);
                records.rewrite(after);
                taken.add(after);
            }
        }
        return taken;
    }

    public static int prune(Records records, int limit, Expiry expiry) throws SQLException {
        records.deleteTombstones(limit);
        return expiry == Expiry.DELETE ? records.deleteExpired(limit) : records.markExpired(limit);
    }
}
