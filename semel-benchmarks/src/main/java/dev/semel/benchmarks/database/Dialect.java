package dev.semel.benchmarks.database;

import java.util.Locale;

/** Which kind of database it is, where statements differ. */
public enum Dialect {
    POSTGRESQL,
    SQLITE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
