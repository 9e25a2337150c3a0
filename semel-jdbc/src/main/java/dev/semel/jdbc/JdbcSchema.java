package dev.semel.jdbc;

import java.util.Set;

/** The tables that a store needs, as the SQL that creates them: for printing, reviewing and running by hand. */
public final class JdbcSchema {

    /** The version of the schema that this release works on. */
    public static final int VERSION = 1;

    private static final Set<String> DIALECTS = Set.of("postgresql", "mysql", "sqlite");

    private JdbcSchema() {}

    /**
     * The SQL of a dialect, with a comment on every column.
     *
     * @param dialect {@code postgresql}, {@code mysql} (for MariaDB too) or {@code sqlite}
     * @throws IllegalArgumentException when there is no such dialect
     */
    public static String ddl(String dialect) {
        if (!DIALECTS.contains(dialect)) {
            throw new IllegalArgumentException(
                    "no schema for '" + dialect + "': the dialects are postgresql, mysql and sqlite");
        }
        return Sql.file("schema/" + dialect + ".sql");
    }
}
