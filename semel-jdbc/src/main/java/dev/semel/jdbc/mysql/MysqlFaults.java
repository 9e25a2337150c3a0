package dev.semel.jdbc.mysql;

import dev.semel.StoreException;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.batch.UnreachableException;
import dev.semel.jdbc.internal.Pools;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * What a fault of MySQL or MariaDB means, and what to do about it.
 *
 * <p>A server's message may quote the values of a row, hence a key, and so may a part of the statement. The driver's
 * exception is passed on as the cause only where its number is one whose message is about connections, resources or names.
 */
final class MysqlFaults {

    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int NOT_WAITED = 3572;

    /** "Record has changed since last read", at REPEATABLE READ with innodb_snapshot_isolation. */
    private static final int CHANGED_SINCE = 1020;

    private static final int PACKET_TOO_LARGE = 1153;
    private static final int TABLE_NOT_ALLOWED = 1142;
    private static final int COLUMN_NOT_ALLOWED = 1143;

    /** Shutdown in progress, connection was killed, connection broke while the server wrote to it, and the client's two. */
    private static final Set<Integer> CONNECTION_LOST = Set.of(1053, 1927, 1159, 1160, 1161, 2006, 2013);

    private static final Set<Integer> WITHOUT_DATA = Set.of(
            1020, 1021, 1036, 1040, 1044, 1045, 1049, 1053, 1054, 1114, 1142, 1143, 1146, 1159, 1160, 1161, 1203, 1205,
            1213, 1226, 1290, 1305, 1568, 1698, 1792, 1927, 2006, 2013, 3572, 4166);

    private MysqlFaults() {}

    /** Whether the server has undone the transaction because of others, so that it should simply be repeated. */
    static boolean isNothingDecided(SQLException fault) {
        int code = codeOf(fault);
        return code == DEADLOCK || code == CHANGED_SINCE;
    }

    /** Whether another transaction holds what this statement asked for; the rest of the transaction is as it was. */
    static boolean isHeldByAnother(SQLException fault) {
        int code = codeOf(fault);
        return code == LOCK_WAIT_TIMEOUT || code == NOT_WAITED;
    }

    /** Whether this user lacks a privilege on a table or column. */
    static boolean isNotAllowed(SQLException fault) {
        int code = codeOf(fault);
        return code == TABLE_NOT_ALLOWED || code == COLUMN_NOT_ALLOWED;
    }

    /** Whether the connection ended under the statement, so that it may or may not have been executed. */
    static boolean isConnectionLost(SQLException fault) {
        return CONNECTION_LOST.contains(codeOf(fault)) || stateOf(fault).startsWith("08");
    }

    /** The fault of a statement, whose transaction was undone as a whole unless the connection was lost in its commit. */
    static StoreException of(String verb, SQLException fault) {
        String message = "MySQL failed to " + verb + ": " + adviceOn(fault);
        if (isHeldByAnother(fault)) {
            return new UndoneException.Held(message);
        }
        return isAboutData(fault) ? new UndoneException(message) : exception(message, fault);
    }

    /** Whether a single call may be to blame: its values are malformed, break a rule of the tables, or are too large. */
    private static boolean isAboutData(SQLException fault) {
        String state = stateOf(fault);
        return state.startsWith("22")
                || state.startsWith("23")
                || codeOf(fault) == PACKET_TOO_LARGE
                || isTooLarge(fault);
    }

    /** The fault of a statement within a transaction of the application's. */
    static StoreException inTransaction(String verb, SQLException fault) {
        String advice = switch (codeOf(fault)) {
            case DEADLOCK ->
                "it and another one waited for each other, and the server has undone all of this one; run the whole"
                        + " transaction again";
            case CHANGED_SINCE ->
                "another one committed first, and innodb_snapshot_isolation does not let both commit; run the whole"
                        + " transaction again";
            case 1305 ->
                "the transaction has ended since the claim, by a statement that commits by itself, such as CREATE"
                        + " TABLE, or was rolled back to before it";
            default -> adviceOn(fault);
        };
        return exception(
                "MySQL failed to " + verb + " within the transaction, which has to be rolled back: " + advice, fault);
    }

    /** The failure to get a connection from this data source: no statement was sent. */
    static StoreException noConnection(DataSource dataSource, SQLException fault) {
        SQLException cause = withNumber(fault);
        if (cause.getErrorCode() == 0 && stateOf(fault).isEmpty()) {
            return new UnreachableException(
                    fault instanceof SQLTransientException
                            ? Pools.notInTime("MySQL", dataSource)
                            : "no connection to MySQL: the pool that should give it is closed or failed",
                    fault);
        }
        return new UnreachableException("no connection to MySQL: " + adviceOn(fault), fault);
    }

    private static StoreException exception(String message, SQLException fault) {
        return WITHOUT_DATA.contains(codeOf(fault)) || stateOf(fault).startsWith("08")
                ? new StoreException(message, fault)
                : new StoreException(message);
    }

    private static String adviceOn(SQLException fault) {
        if (isConnectionLost(fault)) {
            return "it cannot be reached, is starting or stopping, or did not answer in time (error " + codeOf(fault)
                    + "); check that it runs and that host and port are right";
        }
        return switch (codeOf(fault)) {
            case LOCK_WAIT_TIMEOUT, NOT_WAITED ->
                "another transaction kept the record locked for longer than innodb_lock_wait_timeout; look for long"
                        + " transactions on the server";
            case DEADLOCK, CHANGED_SINCE -> "too many transactions work on one record; try again later";
            case PACKET_TOO_LARGE -> tooLarge();
            case 1406 -> "a value is longer than its column; compare with what `semel schema mysql` prints";
            case 1054, 1146 ->
                "a table or column is missing, or the connection is to another database; compare with what"
                        + " `semel schema mysql` prints";
            case TABLE_NOT_ALLOWED, COLUMN_NOT_ALLOWED ->
                "this user may not; grant it SELECT, INSERT, UPDATE and DELETE on semel_record, SELECT, INSERT and DELETE"
                        + " on semel_audit, and SELECT on semel_schema";
            case 1036, 1290, 1792 ->
                "the server or the transaction is read-only; connect to the primary, and let it write";
            case 1568 ->
                "its connection is in a transaction of the application; give the store a data source that does not hand out"
                        + " the connections of running transactions";
            case 1021, 1114 -> "the server's disk is full; free space";
            case 1040, 1203, 1226 -> "the server accepts no more connections; raise max_connections or lower poolSize";
            case 1044, 1049 ->
                "there is no such database, or this user may not use it; create it, or correct its name in the URI";
            case 1045, 1698 -> "it rejected user or password; correct them in the URI";
            default -> isTooLarge(fault) ? tooLarge() : "error " + codeOf(fault) + "; the server's log has the details";
        };
    }

    /** A record that no statement can carry. */
    static UndoneException tooLarge(long maxPacket) {
        return new UndoneException("MySQL takes at most " + maxPacket + " bytes at once: " + tooLarge());
    }

    private static String tooLarge() {
        return "a response or step is larger than a statement may be; raise the server's max_allowed_packet, or keep"
                + " smaller responses";
    }

    /** The driver refuses before it sends, and gives no number. */
    private static boolean isTooLarge(SQLException fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            String message = each.getMessage();
            if (message != null && message.contains("max_allowed_packet")) {
                return true;
            }
        }
        return false;
    }

    private static int codeOf(SQLException fault) {
        return withNumber(fault).getErrorCode();
    }

    /** The fault that has a number; a pool reports that it timed out without one, with what it ran into as the cause. */
    private static SQLException withNumber(SQLException fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && sql.getErrorCode() != 0) {
                return sql;
            }
        }
        return fault;
    }

    private static String stateOf(SQLException fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }
}
