package dev.semel.jdbc;

import dev.semel.jdbc.internal.Sql;
import java.util.Map;

/** The tables that a store needs, as the SQL that creates them: for printing, reviewing and running by hand. */
public final class JdbcSchema {

    /** The version of the schema that this release works on. */
    public static final int VERSION = Sql.SCHEMA_VERSION;

    private static final Map<String, String> FILES =
            Map.of("postgresql", "postgresql", "mysql", "mysql", "mariadb", "mysql", "sqlite", "sqlite");

    private JdbcSchema() {}

    /**
     * The SQL of a dialect, with a comment on every column.
     *
     * @param dialect {@code postgresql}, {@code mysql}, {@code mariadb} or {@code sqlite}
     * @throws IllegalArgumentException when there is no such dialect
     */
    public static String ddl(String dialect) {
        String file = FILES.get(dialect);
        if (file == null) {
            throw new IllegalArgumentException(
                    "no schema for '" + dialect + "': the dialects are postgresql, mysql, mariadb and sqlite");
        }
        return Sql.schema(file);
    }
}
