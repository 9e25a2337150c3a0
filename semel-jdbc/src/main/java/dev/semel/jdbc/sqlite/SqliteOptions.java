package dev.semel.jdbc.sqlite;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.TombstoneTable;
import java.time.Duration;

/**
 * How a SQLite store starts and waits.
 *
 * @param schemaMode what to do about the tables
 * @param busyTimeout how long to wait for other writers, of this process and of others, before giving up
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record SqliteOptions(SchemaMode schemaMode, Duration busyTimeout, Duration tombstones) {

    /** Creates the tables. Five seconds are hundreds of times what a write takes: longer means that another writer hangs. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(SchemaMode.CREATE, Duration.ofSeconds(5));

    public SqliteOptions {
        if (busyTimeout.isNegative() || busyTimeout.isZero() || busyTimeout.toDays() > 1) {
            throw new IllegalArgumentException(
                    "busyTimeout is " + busyTimeout + ", it must be above zero and at most a day");
        }
        TombstoneTable.require(tombstones);
    }

    public SqliteOptions(SchemaMode schemaMode, Duration busyTimeout) {
        this(schemaMode, busyTimeout, Duration.ZERO);
    }
}
