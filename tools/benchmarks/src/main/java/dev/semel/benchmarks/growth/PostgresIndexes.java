package dev.semel.benchmarks.growth;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The indexes of the records, out of the way while millions of rows come in. */
final class PostgresIndexes {

    /** As full as pages of an index are whose keys came in no order. */
    private static final int FILL_PERCENT = 70;

    private static final String PRIMARY_KEY = "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            + " WHERE contype = 'p' AND conrelid = 'semel_record'::regclass";

    private static final String OTHERS = "SELECT indexname, indexdef FROM pg_indexes"
            + " WHERE tablename = 'semel_record' AND schemaname = current_schema() AND indexname NOT IN"
            + " (SELECT conname FROM pg_constraint WHERE conrelid = 'semel_record'::regclass)";

    private final List<String> definitions = new ArrayList<>();

    private PostgresIndexes() {}

    /** Drops them and remembers what they were. */
    static PostgresIndexes drop(Connection connection) throws SQLException {
        PostgresIndexes indexes = new PostgresIndexes();
        List<String> drops = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(PRIMARY_KEY)) {
                while (row.next()) {
                    drops.add("ALTER TABLE semel_record DROP CONSTRAINT " + row.getString(1));
                    indexes.definitions.add("ALTER TABLE semel_record ADD CONSTRAINT " + row.getString(1) + " "
                            + row.getString(2) + " WITH (fillfactor = " + FILL_PERCENT + ")");
                }
            }
            try (ResultSet row = statement.executeQuery(OTHERS)) {
                while (row.next()) {
                    drops.add("DROP INDEX " + row.getString(1));
                    indexes.definitions.add(row.getString(2));
                }
            }
            for (String sql : drops) {
                statement.execute(sql);
            }
        }
        return indexes;
    }

    void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET maintenance_work_mem = '256MB'");
            for (String sql : definitions) {
                statement.execute(sql);
            }
        }
    }
}
