package dev.semel.jdbc.sqlite;

import dev.semel.StoreException;
import dev.semel.jdbc.batch.UndoneException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What a fault of SQLite means, and what to do about it. SQLite's own messages name columns, never their values. */
final class SqliteFaults {

    /** An extended result code holds the plain one in its lowest byte. */
    private static final int PLAIN_CODE = 0xff;

    private SqliteFaults() {}

    /** The fault of a statement; its transaction is undone. */
    static StoreException of(String verb, SQLException fault) {
        String message = "SQLite failed to " + verb + ": " + adviceOn(fault);
        return switch (codeOf(fault)) {
            // A single call may be to blame: it breaks a rule of the tables, or is too large.
            case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_NOMEM -> new UndoneException(message, fault);
            default -> new StoreException(message, fault);
        };
    }

    static boolean isBusy(SQLException fault) {
        SQLiteErrorCode code = codeOf(fault);
        return code == SQLiteErrorCode.SQLITE_BUSY || code == SQLiteErrorCode.SQLITE_LOCKED;
    }

    /** Whether a transaction has read what another one has overwritten since, and may write no more. */
    static boolean isStale(SQLException fault) {
        return fault instanceof SQLiteException sqlite
                && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT;
    }

    private static String adviceOn(SQLException fault) {
        if (isStale(fault)) {
            return "this transaction read before others wrote, and may write no more; roll it back and repeat it,"
                    + " and claim before anything else is read in it";
        }
        return switch (codeOf(fault)) {
            case SQLITE_BUSY, SQLITE_LOCKED ->
                "another process, or a transaction of this one, kept the file locked for longer than the busy"
                        + " timeout; find it, or raise busyTimeoutMillis";
            case SQLITE_FULL -> "the disk is full; free space";
            case SQLITE_READONLY -> "the file or its directory is read-only; make both writable for this user";
            case SQLITE_CANTOPEN -> "the file cannot be opened; check that the path is a file in a writable directory";
            case SQLITE_PERM, SQLITE_AUTH -> "this user may not use the file; check its permissions";
            case SQLITE_NOTADB -> "the file is not a SQLite database; give another path, or move the file away";
            case SQLITE_CORRUPT -> "the file is damaged; restore it from a backup";
            case SQLITE_IOERR -> "reading or writing the file failed; check disk and file system";
            default -> "unexpected fault " + codeOf(fault) + "; compare with what `semel schema sqlite` prints";
        };
    }

    private static SQLiteErrorCode codeOf(SQLException fault) {
        return SQLiteErrorCode.getErrorCode(fault.getErrorCode() & PLAIN_CODE);
    }
}
