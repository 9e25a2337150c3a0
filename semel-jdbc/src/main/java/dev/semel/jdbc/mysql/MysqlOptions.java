package dev.semel.jdbc.mysql;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.TombstoneTable;
import java.time.Duration;

/**
 * How a store in MySQL or MariaDB starts.
 *
 * @param schemaMode what to do about the tables
 * @param acceptUnsafeDurability whether to start on a server that may lose what it has confirmed; a lost record is a
 *     duplicate waiting to happen, so this is for tests and throw-away data
 * @param lanes how many batches of claims, and of other writes and of reads, run at once
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record MysqlOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability, int lanes, Duration tombstones) {

    /** While one batch waits for the disk, the next one is decided. More make batches smaller, not faster. */
    public static final int DEFAULT_LANES = 2;

    /** Creates the tables, and refuses a server that may lose what it has confirmed. */
    public static final MysqlOptions DEFAULT = new MysqlOptions(SchemaMode.CREATE, false);

    public MysqlOptions {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes is " + lanes + ": at least one is needed");
        }
        TombstoneTable.require(tombstones);
    }

    public MysqlOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability, int lanes) {
        this(schemaMode, acceptUnsafeDurability, lanes, Duration.ZERO);
    }

    public MysqlOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability) {
        this(schemaMode, acceptUnsafeDurability, DEFAULT_LANES);
    }
}
