package dev.semel.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What records take on disk: their tables with all indexes. */
record DiskUse(long bytes, long records) {

    private static final String POSTGRESQL = "SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            + " WHERE relkind = 'r' AND relname LIKE 'semel\\_%'), (SELECT count(*) FROM semel_record)";

    private static final String SQLITE =
            "SELECT (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()),"
                    + " (SELECT count(*) FROM semel_record)";

    /** As of the last {@code ANALYZE TABLE}. */
    private static final String MYSQL = "SELECT (SELECT SUM(data_length + index_length) FROM information_schema.tables"
            + " WHERE table_schema = DATABASE() AND table_name LIKE 'semel\\_%'), (SELECT COUNT(*) FROM semel_record)";

    static DiskUse of(Database database) throws SQLException {
        String query = switch (database.dialect()) {
            case POSTGRESQL -> POSTGRESQL;
            case MYSQL -> MYSQL;
            case SQLITE -> SQLITE;
        };
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return new DiskUse(row.getLong(1), row.getLong(2));
        }
    }

    double perRecord() {
        return (double) bytes / Math.max(records, 1);
    }
}
