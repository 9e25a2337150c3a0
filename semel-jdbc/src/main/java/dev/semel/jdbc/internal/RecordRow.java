package dev.semel.jdbc.internal;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.Changes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code semel_record} as a record: the columns are named alike in every dialect, only times differ. */
public final class RecordRow {

    private RecordRow() {}

    /** How a dialect reads a point in time, and text. */
    public interface Columns {
        @Nullable
        Instant time(ResultSet row, String column) throws SQLException;

        default @Nullable String text(ResultSet row, String column) throws SQLException {
            return row.getString(column);
        }
    }

    /** The record as it reads at this moment: settled and past its retention means expired, with no response. */
    public static StoredRecord read(ResultSet row, Instant at, Columns columns) throws SQLException {
        byte[] response = row.getBytes("response");
        Instant unknownSince = columns.time(row, "unknown_since");
        String source = columns.text(row, "evidence_source");
        StoredRecord stored = new StoredRecord(
                Identity.of(required(columns.text(row, "scope")), required(columns.text(row, "key"))),
                required(columns.text(row, "operation")),
                new Fingerprint(required(columns.text(row, "fingerprint"))),
                State.ofLabel(required(columns.text(row, "state"))),
                row.getLong("fence"),
                row.getInt("attempts"),
                row.getBoolean("reexecutable"),
                required(columns.text(row, "holder")),
                new StoredRecord.Times(
                        at,
                        required(columns.time(row, "created_at")),
                        required(columns.time(row, "updated_at")),
                        required(columns.time(row, "claimed_at")),
                        columns.time(row, "doubt_since"),
                        columns.time(row, "locked_until"),
                        columns.time(row, "expires_at")),
                response == null ? null : Response.of(response),
                columns.text(row, "reason"),
                source == null ? null : new Evidence(source, required(columns.text(row, "evidence_detail"))),
                Steps.of(row.getBytes("steps")),
                unknownSince == null
                        ? null
                        : new Reconciling(unknownSince, row.getInt("tries"), columns.time(row, "next_try_at")));
        return Changes.asOf(stored, at);
    }

    /** A row of {@code semel_audit} as an entry. */
    public static AuditEntry entry(ResultSet row, Columns columns) throws SQLException {
        String from = columns.text(row, "from_state");
        return new AuditEntry(
                Identity.of(required(columns.text(row, "scope")), required(columns.text(row, "key"))),
                row.getLong("number"),
                required(columns.time(row, "at")),
                Change.ofLabel(required(columns.text(row, "change"))),
                row.getLong("fence"),
                from == null ? null : State.ofLabel(from),
                State.ofLabel(required(columns.text(row, "to_state"))),
                required(columns.text(row, "who")),
                columns.text(row, "why"));
    }

    private static <T> T required(@Nullable T value) throws SQLException {
        if (value == null) {
            throw new SQLException("a column that the schema declares NOT NULL is null");
        }
        return value;
    }
}
