package dev.semel.jdbc;

/**
 * How a PostgreSQL store starts.
 *
 * @param schemaMode what to do about the tables
 * @param acceptUnsafeDurability whether to start on a server that may lose what it has confirmed; a lost record is a
 *     duplicate waiting to happen, so this is for tests and throw-away data
 * @param lanes how many batches of claims, and of settlements and of reads, are on their way at once
 */
public record PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability, int lanes) {

    /** Claims and settlements have lanes of their own, so one batch is decided while another waits for the disk. */
    public static final int DEFAULT_LANES = 1;

    /** Creates the tables, and refuses a server that may lose what it has confirmed. */
    public static final PostgresOptions DEFAULT = new PostgresOptions(SchemaMode.CREATE, false);

    public PostgresOptions {
        if (lanes < 1) {
            throw new IllegalArgumentException("lanes is " + lanes + ": at least one is needed");
        }
    }

    public PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability) {
        this(schemaMode, acceptUnsafeDurability, DEFAULT_LANES);
    }
}
