package dev.semel.jdbc;

/** The tables that a store needs, as the SQL that creates them: for printing, reviewing and running by hand. */
public final class JdbcSchema {

    /** The version of the schema that this release works on. */
    public static final int VERSION = 1;

    private JdbcSchema() {}

    /**
     * The SQL of a dialect, with a comment on every column.
     *
     * @param dialect {@code postgresql} or {@code sqlite}
     * @throws IllegalArgumentException when there is no such dialect
     */
    public static String ddl(String dialect) {
        if (!dialect.equals("postgresql") && !dialect.equals("sqlite")) {
            throw new IllegalArgumentException(
                    "no schema for '" + dialect + "': the dialects are postgresql and sqlite");
        }
        return Sql.file("schema/" + dialect + ".sql");
    }
}
