package dev.semel.benchmarks.database;

import java.util.Locale;

/** Which kind of database it is, where statements differ. */
public enum Dialect {
    POSTGRESQL,
    /** MariaDB too. */
    MYSQL,
    SQLITE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
