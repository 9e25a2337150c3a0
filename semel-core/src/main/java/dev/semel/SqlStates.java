package dev.semel;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Set;

/** What the SQLState of a database's error says about the transaction that failed. */
final class SqlStates {

    private static final int CLASS_LENGTH = 2;

    /** The client could not connect; the server rejected the connection. */
    private static final Set<String> NOT_CONNECTED = Set.of("08001", "08004");

    /** The database could not tell whether the statement had completed. */
    private static final String COMPLETION_UNKNOWN = "40003";

    /** The database says that it has rolled the transaction back. */
    private static final String ROLLED_BACK = "40";

    /**
     * Errors in the statement or its data: no data, unsupported feature, cardinality, data, constraint, dependent privileges,
     * syntax or access rule, check option, lock not available, and those that procedures raise.
     */
    private static final Set<String> ANSWERS = Set.of("02", "0A", "21", "22", "23", "2B", "42", "44", "45", "55", "P0");

    private SqlStates() {}

    static KnownFailures meaningOf(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null || state.length() < CLASS_LENGTH || state.equals(COMPLETION_UNKNOWN)) {
            return KnownFailures.UNKNOWN;
        }
        if (NOT_CONNECTED.contains(state)) {
            return KnownFailures.NOT_EXECUTED;
        }
        if (failure instanceof BatchUpdateException) {
            // Without a transaction, the statements of a batch before the one that failed were executed.
            return KnownFailures.UNKNOWN;
        }
        String type = state.substring(0, CLASS_LENGTH);
        if (type.equals(ROLLED_BACK)) {
            return KnownFailures.NOT_EXECUTED;
        }
        return ANSWERS.contains(type) ? KnownFailures.ANSWER : KnownFailures.UNKNOWN;
    }
}
