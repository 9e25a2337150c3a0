package dev.semel.jdbc;

import dev.semel.Evidence;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.Change;
import dev.semel.spi.Changes;
import dev.semel.spi.Steps;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.StoredRecord.Reconciling;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code semel_record} as a record: the columns are named alike in every dialect, only times differ. */
final class RecordRow {

    private RecordRow() {}

    /** How a dialect reads a point in time. */
    interface TimeColumn {
        @Nullable
        Instant read(ResultSet row, String column) throws SQLException;
    }

    /** The record as it reads at this moment: settled and past its retention means expired, with no response. */
    static StoredRecord read(ResultSet row, Instant at, TimeColumn time) throws SQLException {
        byte[] response = row.getBytes("response");
        Instant unknownSince = time.read(row, "unknown_since");
        String source = row.getString("evidence_source");
        StoredRecord stored = new StoredRecord(
                Identity.of(row.getString("scope"), row.getString("key")),
                row.getString("operation"),
                new Fingerprint(row.getString("fingerprint")),
                State.ofLabel(row.getString("state")),
                row.getLong("fence"),
                row.getInt("attempts"),
                row.getBoolean("reexecutable"),
                row.getString("holder"),
                new StoredRecord.Times(
                        at,
                        required(time.read(row, "created_at")),
                        required(time.read(row, "updated_at")),
                        required(time.read(row, "claimed_at")),
                        time.read(row, "doubt_since"),
                        time.read(row, "locked_until"),
                        time.read(row, "expires_at")),
                response == null ? null : Response.of(response),
                row.getString("reason"),
                source == null ? null : new Evidence(source, row.getString("evidence_detail")),
                Steps.of(row.getBytes("steps")),
                unknownSince == null
                        ? null
                        : new Reconciling(unknownSince, row.getInt("tries"), time.read(row, "next_try_at")));
        return Changes.asOf(stored, at);
    }

    /** A row of {@code semel_audit} as an entry. */
    static AuditEntry entry(ResultSet row, TimeColumn time) throws SQLException {
        String from = row.getString("from_state");
        return new AuditEntry(
                Identity.of(row.getString("scope"), row.getString("key")),
                row.getLong("number"),
                required(time.read(row, "at")),
                Change.ofLabel(row.getString("change")),
                row.getLong("fence"),
                from == null ? null : State.ofLabel(from),
                State.ofLabel(row.getString("to_state")),
                row.getString("who"),
                row.getString("why"));
    }

    private static Instant required(@Nullable Instant time) throws SQLException {
        if (time == null) {
            throw new SQLException("a column that the schema declares NOT NULL is null");
        }
        return time;
    }
}
