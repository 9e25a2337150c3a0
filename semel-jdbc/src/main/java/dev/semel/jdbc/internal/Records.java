package dev.semel.jdbc.internal;

import dev.semel.Identity;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions.Deleted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records at one moment of the store's clock, locked by the calling transaction: what {@link Verbs} decides on. No other
 * transaction writes a record between {@link #find} and {@link #change}.
 */
public interface Records {

    /** The moment, by the store's clock. */
    Instant at();

    /** The record as it reads at this moment, with what was changed here before; null when there is none. */
    @Nullable
    StoredRecord find(Identity identity) throws SQLException;

    /** Takes the fence of a claim that is granted; it is above every fence that a claim of this record had before. */
    long nextFence(Identity identity) throws SQLException;

    /** Writes a record that has changed, and its entry of the audit; {@code before} is null when there was none. */
    void change(@Nullable StoredRecord before, StoredRecord after, Note note) throws SQLException;

    /** Writes a record without an entry of the audit. */
    void rewrite(StoredRecord record) throws SQLException;

    /** Records whose lease has expired and that no sweep has found yet, oldest first. */
    List<StoredRecord> expiredLeases(int limit) throws SQLException;

    /** Unknown records of an operation whose next try is due, oldest first. */
    List<StoredRecord> due(String operation, int limit) throws SQLException;

    /** Whether deleted records leave tombstones. */
    boolean keepsTombstones();

    /** What is known of a deleted record, as far as this claim needs it. */
    Deleted deleted(ClaimRequest request) throws SQLException;

    /** Deletes tombstones whose time has passed, at most so many, oldest first. */
    void deleteTombstones(int limit) throws SQLException;

    /** Deletes records past their retention with what happened to them, and leaves their tombstones; how many. */
    int deleteExpired(int limit) throws SQLException;

    /** Marks records past their retention as expired; how many. */
    int markExpired(int limit) throws SQLException;
}
