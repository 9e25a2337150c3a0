package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.TombstoneTable;
import java.time.Duration;

/**
 * How a PostgreSQL store starts.
 *
 * @param schemaMode what to do about the tables
 * @param acceptUnsafeDurability whether to start on a server that may lose what it has confirmed; a lost record is a
 *     duplicate waiting to happen, so this is for tests and throw-away data
 * @param lanes how many large batches of writes, and how many of reads, run at once
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability, int lanes, Duration tombstones) {

    /** One batch is decided while another waits for the disk, or its callers for a processor. */
    public static final int DEFAULT_LANES = 2;

    /** Creates the tables, and refuses a server that may lose what it has confirmed. */
    public static final PostgresOptions DEFAULT = new PostgresOptions(SchemaMode.CREATE, false);

    public PostgresOptions {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes is " + lanes + ": at least one is needed");
        }
        TombstoneTable.require(tombstones);
    }

    public PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability, int lanes) {
        this(schemaMode, acceptUnsafeDurability, lanes, Duration.ZERO);
    }

    public PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability) {
        this(schemaMode, acceptUnsafeDurability, DEFAULT_LANES);
    }
}
