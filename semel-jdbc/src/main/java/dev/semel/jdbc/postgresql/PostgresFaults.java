package dev.semel.jdbc.postgresql;

import dev.semel.StoreException;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.batch.UnreachableException;
import dev.semel.jdbc.internal.Pools;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * What a fault of PostgreSQL means, and what to do about it.
 *
 * <p>A server's message may quote the values of a row, hence a key. The driver's exception is passed on as the cause only
 * where its kind (the first two characters of its SQLSTATE) is about connections, resources or names.
 */
final class PostgresFaults {

    private static final Set<String> KINDS_WITHOUT_DATA = Set.of("08", "25", "28", "3D", "42", "53", "57", "58");

    /** Division by zero, by which claim.sql undoes a claim. */
    private static final String UNDONE_BY_DELETION = "22012";

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String NOT_ALLOWED = "42501";

    private static final Set<String> NOTHING_DECIDED = Set.of(UNDONE_BY_DELETION, SERIALIZATION_FAILURE, DEADLOCK);

    /** A single call may be to blame: its values are malformed, break a rule or displease a trigger, or are too large. */
    private static final Set<String> KINDS_OF_DATA = Set.of("22", "23", "54", "P0");

    private static final String OUT_OF_MEMORY = "53200";

    /** For a fault without a SQLSTATE, which the server did not report. */
    private static final String UNKNOWN_STATE = "-----";

    private PostgresFaults() {}

    /** Whether the statement was undone because of others and should simply be repeated. */
    static boolean isNothingDecided(SQLException fault) {
        return NOTHING_DECIDED.contains(stateOf(fault));
    }

    /** Whether a claim was undone because records were deleted meanwhile, and should be repeated. */
    static boolean isUndoneByDeletion(SQLException fault) {
        return stateOf(fault).equals(UNDONE_BY_DELETION);
    }

    /** Whether another transaction holds what this one waited for, and did not end in time or itself waits for this one. */
    static boolean isHeldByAnother(SQLException fault) {
        String state = stateOf(fault);
        return state.equals(LOCK_NOT_AVAILABLE) || state.equals(DEADLOCK);
    }

    /** Whether the connection ended under the statement, so that it may or may not have been executed. */
    static boolean isConnectionLost(SQLException fault) {
        String state = stateOf(fault);
        return state.startsWith("08") || state.startsWith("57P");
    }

    /** Whether this user lacks a privilege. */
    static boolean isNotAllowed(SQLException fault) {
        return stateOf(fault).equals(NOT_ALLOWED);
    }

    /** The fault of a statement, which was undone as a whole unless the connection was lost. */
    static StoreException of(String verb, SQLException fault) {
        String state = stateOf(fault);
        String message = "PostgreSQL failed to " + verb + ": " + adviceOn(state);
        if (state.equals(LOCK_NOT_AVAILABLE)) {
            return new UndoneException.Held(message);
        }
        if (isConnectionLost(fault)) {
            return new LostException(message, fault);
        }
        return state.equals(OUT_OF_MEMORY) || KINDS_OF_DATA.contains(kindOf(state))
                ? new UndoneException(message)
                : exception(message, fault);
    }

    /** The fault of a statement within a transaction of the application's, which has to be rolled back. */
    static StoreException inTransaction(String verb, SQLException fault) {
        String state = stateOf(fault);
        return exception(
                "PostgreSQL failed to " + verb + " within the transaction, which has to be rolled back: "
                        + (state.equals(SERIALIZATION_FAILURE)
                                ? "another one committed first, and this isolation level does not let both commit; run the whole"
                                        + " transaction again"
                                : adviceOn(state)),
                fault);
    }

    /** A claim that lost too many rounds. */
    static StoreException undecided() {
        return new StoreException("PostgreSQL could not decide a claim in " + PostgresStatements.MOST_ROUNDS
                + " rounds: too many requests work on one key; try again later");
    }

    /** The failure to get a connection from this data source: no statement was sent. */
    static StoreException noConnection(DataSource dataSource, SQLException fault) {
        if (fault.getCause() instanceof InterruptedException) {
            // Only this caller was interrupted: other calls can still reach the server.
            return new StoreException("interrupted while waiting for a connection to PostgreSQL", fault);
        }
        String state = stateOf(fault);
        if (state.equals(UNKNOWN_STATE)) {
            return new UnreachableException(
                    fault instanceof SQLTransientException
                            ? Pools.notInTime("PostgreSQL", dataSource)
                            : "no connection to PostgreSQL: the pool that should give it is closed or failed",
                    fault);
        }
        return new UnreachableException("no connection to PostgreSQL: " + adviceOn(state), fault);
    }

    private static StoreException exception(String message, SQLException fault) {
        String state = stateOf(fault);
        return KINDS_WITHOUT_DATA.contains(kindOf(state))
                ? new StoreException(message, fault)
                : new StoreException(message);
    }

    private static String adviceOn(String state) {
        return switch (state) {
            case LOCK_NOT_AVAILABLE ->
                "a transaction of the application's holds the record; try again when it has ended";
            case "57014" -> "it took longer than statement_timeout; look for locks and load on the server";
            case "42P01", "42703", "42P10" ->
                "a table, column or key is missing, or not on the connection's search_path;"
                        + " compare with what `semel schema postgresql` prints";
            case NOT_ALLOWED ->
                "this user may not; grant it SELECT, INSERT, UPDATE and DELETE on semel_record,"
                        + " SELECT on semel_audit and semel_schema, USAGE on semel_fence,"
                        + " USAGE and UPDATE on semel_prune, and EXECUTE on semel_history";
            case "25001" ->
                "its connection is in a transaction of the application; give the store a data source that does not"
                        + " hand out the connections of running transactions";
            case "25006" -> "the server or the transaction is read-only; connect to the primary, and let it write";
            case "25P02" -> "a statement before it had failed";
            case "53100" -> "the server's disk is full; free space";
            case "53300" -> "the server accepts no more connections; raise max_connections or lower poolSize";
            case "3D000" -> "there is no such database; create it, or correct its name in the URI";
            default -> adviceOnKind(state);
        };
    }

    private static String adviceOnKind(String state) {
        return switch (kindOf(state)) {
            case "08", "57" ->
                "it cannot be reached, is starting or stopping, or did not answer in time (SQLSTATE " + state
                        + "); check that it runs and that host and port are right";
            case "28" -> "it rejected user or password; correct them in the URI";
            case "53" -> "the server is short of resources (SQLSTATE " + state + "); look at its log";
            default -> "SQLSTATE " + state + "; the server's log has the details";
        };
    }

    private static String kindOf(String state) {
        return state.substring(0, 2);
    }

    /** The SQLSTATE; a pool reports that it timed out without one, with what it ran into as the cause. */
    private static String stateOf(SQLException fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql
                    && sql.getSQLState() != null
                    && sql.getSQLState().length() == 5) {
                return sql.getSQLState();
            }
        }
        return UNKNOWN_STATE;
    }
}
