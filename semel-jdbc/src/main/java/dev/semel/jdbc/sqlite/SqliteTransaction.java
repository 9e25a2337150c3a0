package dev.semel.jdbc.sqlite;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A claim within a transaction of the application's on the store's file.
 *
 * <ol>
 *   <li>A savepoint is set first. It also begins a transaction where the driver reports one but has none: after a
 *       {@code BEGIN} that has failed.
 *   <li>A write that changes nothing takes the write lock, and waits for it. Nothing has been read by then, because a
 *       transaction that has read what others overwrite is refused the lock.
 *   <li>Under the lock, a claim is what it is in the store's own transactions.
 *   <li>A second savepoint is set when it is granted: the one before the claim undoes all, this one the work alone.
 * </ol>
 *
 * <p>After a rollback another store may give the same fence again ({@link SqliteFences}). So a settlement must find the
 * holder of its claim, too, which is unique to it.
 */
final class SqliteTransaction implements StoreTransaction {

    private static final String LOCK = Sql.file("sqlite/lock.sql");

    private final Connection connection;
    private final Duration maxWait;
    private final SqliteFences fences;
    private final TombstoneTable tombstones;
    private @Nullable Held held;

    /** What was granted, and how to get back. */
    private record Held(StoredRecord granted, Savepoint beforeClaim, Savepoint beforeWork) {}

    private SqliteTransaction(Connection connection, Duration maxWait, SqliteFences fences, TombstoneTable tombstones) {
        this.connection = connection;
        this.maxWait = maxWait;
        this.fences = fences;
        this.tombstones = tombstones;
    }

    /** The transaction that this connection is in, if it is one on this file. */
    static SqliteTransaction on(
            Connection connection, Duration maxWait, String file, SqliteFences fences, TombstoneTable tombstones) {
        try (SqliteConnection borrowed = SqliteConnection.borrow(connection)) {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(
                        "the connection is in autocommit mode, so that there is no transaction"
                                + " to be part of: call setAutoCommit(false) before, and commit() after it");
            }
            requireSameFile(borrowed.file(), file);
            return new SqliteTransaction(connection, maxWait, fences, tombstones);
        } catch (SQLException e) {
            throw new StoreException("the connection cannot be asked for its file: is it open, and to SQLite?", e);
        }
    }

    private static void requireSameFile(String theirs, String ours) {
        if (theirs.equals(ours) || (!theirs.isEmpty() && isSameFile(Path.of(theirs), Path.of(ours)))) {
            return;
        }
        throw new IllegalArgumentException("the connection is to " + (theirs.isEmpty() ? "no file" : theirs)
                + ", but the records are in " + ours + ": one transaction is on one file, so keep both in the same");
    }

    private static boolean isSameFile(Path one, Path another) {
        try {
            return Files.isSameFile(one, another);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public ClaimAnswer claim(ClaimRequest request) {
        if (held != null) {
            throw new IllegalStateException("this transaction was granted a claim of " + request.identity()
                    + " already: every claim needs a call of within");
        }
        return atomically("claim", (borrowed, before) -> {
            if (!lock(borrowed)) {
                connection.releaseSavepoint(before);
                // How much longer the other transaction takes is not known.
                return new ClaimAnswer.Busy(Duration.ZERO);
            }
            ClaimAnswer answer = Verbs.claim(SqliteRecords.now(borrowed, fences, tombstones), request);
            if (answer instanceof ClaimAnswer.Granted granted) {
                held = new Held(granted.record(), before, connection.setSavepoint());
            } else {
                connection.releaseSavepoint(before);
            }
            return answer;
        });
    }

    /** Whether the write lock was obtained in time. */
    private boolean lock(SqliteConnection borrowed) throws SQLException {
        Duration usualTimeout = borrowed.busyTimeout();
        borrowed.busyTimeout(maxWait);
        try {
            borrowed.prepare(LOCK).executeUpdate();
            return true;
        } catch (SQLException e) {
            if (SqliteFaults.isBusy(e) && !SqliteFaults.isStale(e)) {
                return false;
            }
            throw e;
        } finally {
            borrowed.busyTimeout(usualTimeout);
        }
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return atomically("settle", (borrowed, before) -> {
            SqliteRecords records = SqliteRecords.now(borrowed, fences, tombstones);
            StoredRecord current = records.find(lease.identity());
            SettleAnswer answer =
                    isOurs(current, lease) ? Verbs.settle(records, lease, outcome, retention) : Verbs.refused(current);
            connection.releaseSavepoint(before);
            return answer;
        });
    }

    private boolean isOurs(@Nullable StoredRecord current, Lease lease) {
        return held != null
                && current != null
                && held.granted().lease().equals(lease)
                && held.granted().holder().equals(current.holder());
    }

    @Override
    public void undoWork() {
        rollBackTo(requireHeld().beforeWork());
    }

    @Override
    public void undoClaim() {
        rollBackTo(requireHeld().beforeClaim());
    }

    private Held requireHeld() {
        if (held == null) {
            throw new IllegalStateException("nothing was granted in this transaction that could be undone");
        }
        return held;
    }

    private void rollBackTo(Savepoint savepoint) {
        try {
            connection.rollback(savepoint);
        } catch (SQLException e) {
            throw new StoreException(
                    "SQLite failed to undo the claim or its work; it may be that the transaction has ended since, or was"
                            + " rolled back to before the claim. Roll back what is left of it",
                    e);
        }
    }

    /** What is done on the caller's connection since a savepoint. */
    private interface Work<T> {
        T on(SqliteConnection borrowed, Savepoint before) throws SQLException;
    }

    /** Does all of it or, when it fails, nothing. */
    private <T> T atomically(String verb, Work<T> work) {
        try (SqliteConnection borrowed = SqliteConnection.borrow(connection)) {
            Savepoint before = connection.setSavepoint();
            try {
                return work.on(borrowed, before);
            } catch (Throwable e) {
                undoAfter(e, before);
                throw e;
            }
        } catch (SQLException e) {
            throw SqliteFaults.of(verb, e);
        }
    }

    private void undoAfter(Throwable failure, Savepoint before) {
        try {
            connection.rollback(before);
            connection.releaseSavepoint(before);
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
