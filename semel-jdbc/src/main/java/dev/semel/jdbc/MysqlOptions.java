package dev.semel.jdbc;

/**
 * How a store in MySQL or MariaDB starts.
 *
 * @param schemaMode what to do about the tables
 * @param acceptUnsafeDurability whether to start on a server that may lose what it has confirmed; a lost record is a
 *     duplicate waiting to happen, so this is for tests and throw-away data
 */
public record MysqlOptions(SchemaMode schemaMode, boolean acceptUnsafeDurability) {

    /** Creates the tables, and refuses a server that may lose what it has confirmed. */
    public static final MysqlOptions DEFAULT = new MysqlOptions(SchemaMode.CREATE, false);
}
