package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.internal.Sql;

/** The settings under which the store's statements run; {@code planning.sql} says why. */
final class PostgresPlanning {

    /** Sets them for the rest of a connection's session. */
    static final String SESSION = settings(false);

    /** Sets them for the rest of a transaction. */
    static final String TRANSACTION = settings(true);

    private PostgresPlanning() {}

    private static String settings(boolean transaction) {
        return Sql.file("postgresql/planning.sql").replace(":transaction", Boolean.toString(transaction));
    }
}
