package dev.semel.jdbc;

/**
 * How a PostgreSQL store starts.
 *
 * @param schemaMode what to do about the tables
 * @param acceptUnsafeDurability whether to start on a server that may lose what it has confirmed; a lost record is a
 *     duplicate waiting to happen, so this is for tests and throw-away data
 */
public record PostgresOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability) {

    /** Creates the tables, and refuses a server that may lose what it has confirmed. */
    public static final PostgresOptions DEFAULT = new PostgresOptions(SchemaMode.CREATE, false);
}
