package dev.semel.server.cli;

import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Times;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints a record with its history, without its response. */
final class RecordPage {

    /** The longest pause of a reconciler: ten seconds, or a minute while its store fails. */
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

    private final PrintWriter out;

    RecordPage(PrintWriter out) {
        this.out = out;
    }

    void print(StoredRecord record, List<AuditEntry> history) {
        Times times = record.times();
        line("scope", record.identity().scope().value());
        line("key", record.identity().key().value());
        line("key in logs", record.identity().key().redacted());
        line("operation", record.operation());
        line("state", record.state().label() + (record.isDeadLettered() ? ", dead-lettered" : ""));
        line("reason", record.reason());
        line("fence", record.fence());
        line("attempts", record.attempts());
        line("request", record.request());
        line("holder", Holder.nameIn(record.holder()));
        line("re-executable", record.reexecutable() ? "yes" : "no");
        line("created", times.createdAt());
        line("claimed", times.claimedAt());
        line("completed", AuditEntry.completedAt(history, record.fence()));
        line("updated", times.updatedAt());
        line("in doubt since", times.doubtSince());
        line("locked until", times.lockedUntil());
        line("expires", times.expiresAt());
        reconciling(record, record.reconciling());
        line("as of", times.asOf());
        line("response", record.response() == null ? null : record.response().size() + " bytes stored");
        line("steps", record.steps().isEmpty() ? null : record.steps().bytes().length + " bytes stored");
        Evidence evidence = record.evidence();
        line("evidence", evidence == null ? null : evidence.source() + ": " + evidence.detail());
        out.println();
        print(history);
    }

    private void reconciling(StoredRecord record, @Nullable Reconciling reconciling) {
        if (reconciling != null) {
            line("unknown since", reconciling.since() + " (" + ShortDuration.text(record.unknownFor()) + ")");
            line("tries", reconciling.tries());
            line("next try", nextTry(record));
        }
    }

    /** Whether the next try is overdue for so long that no reconciler can be running. */
    static boolean isOverdue(StoredRecord record) {
        Instant next =
                record.reconciling() == null ? null : record.reconciling().nextTryAt();
        return next != null && next.plus(MAX_PAUSE).isBefore(record.times().asOf());
    }

    /** Describes when the next try of an unknown record is due, or for how long it has been. */
    static String nextTry(StoredRecord record) {
        Instant next =
                record.reconciling() == null ? null : record.reconciling().nextTryAt();
        if (next == null) {
            return "DEAD";
        }
        Duration ahead = Duration.between(record.times().asOf(), next);
        if (ahead.toSeconds() > 0) {
            return "in " + ShortDuration.text(ahead);
        }
        return ahead.toSeconds() == 0 ? "due" : "due for " + ShortDuration.text(ahead.negated());
    }

    private void print(List<AuditEntry> history) {
        TextTable table = new TextTable("time", "change", "state", "fence", "who", "why");
        for (AuditEntry entry : history) {
            table.row(
                    entry.at().toString(),
                    entry.change().label(),
                    change(entry.from(), entry.to()),
                    Long.toString(entry.fence()),
                    Printable.text(entry.actor()),
                    Printable.text(why(entry)));
        }
        table.print(out);
    }

    /** Returns the reason of an entry; that of a grant is its request. */
    private static String why(AuditEntry entry) {
        boolean granted = entry.change() == Change.GRANTED || entry.change() == Change.TAKEN_OVER;
        String why = granted && entry.why() == null ? entry.request() : entry.why();
        return why == null ? "" : why;
    }

    private static String change(@Nullable State from, State to) {
        String before = from == null ? "absent" : from.label();
        return before.equals(to.label()) ? before : before + " -> " + to.label();
    }

    private void line(String name, @Nullable Object value) {
        if (value != null) {
            out.printf("%-14s %s%n", name, Printable.text(value.toString()));
        }
    }
}
