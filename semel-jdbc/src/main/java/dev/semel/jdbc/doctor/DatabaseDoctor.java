package dev.semel.jdbc.doctor;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Checks the database of a store for settings that lose records; it changes nothing. */
public final class DatabaseDoctor {

    private DatabaseDoctor() {}

    /**
     * Checks everything, a SQLite file byte by byte.
     *
     * @throws StoreException when the database cannot be queried
     */
    public static List<DatabaseFinding> examine(StoreUri uri) {
        return uri instanceof StoreUri.Sqlite sqlite ? SqliteCheck.ofFile(sqlite) : examineSettings(uri);
    }

    /**
     * Checks the settings alone: quick enough for a process that serves requests.
     *
     * @throws StoreException when the database cannot be queried
     */
    public static List<DatabaseFinding> examineSettings(StoreUri uri) {
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return SqliteCheck.ofSettings(sqlite);
        }
        try {
            if (uri instanceof StoreUri.Postgresql postgresql) {
                return ofPool(postgresql.dataSource());
            }
            return uri instanceof StoreUri.Mysql mysql ? ofPool(mysql.dataSource()) : inMemory();
        } catch (StoreException e) {
            throw new StoreException(uri + ": " + e.getMessage(), e);
        }
    }

    /**
     * The same for the DataSource of an application.
     *
     * @throws StoreException when the database cannot be queried
     */
    public static List<DatabaseFinding> examineSettings(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return switch (product.toLowerCase(Locale.ROOT)) {
                case "postgresql" -> PostgresCheck.of(statement);
                case "mysql", "mariadb" -> MysqlCheck.of(statement);
                case "sqlite" -> SqliteCheck.of(statement);
                default -> List.of(DatabaseFinding.note("there are no checks for " + product));
            };
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreException("the database cannot be queried: " + cause.getMessage(), e);
        }
    }

    private static List<DatabaseFinding> ofPool(HikariDataSource pool) {
        try (pool) {
            return examineSettings(pool);
        }
    }

    private static List<DatabaseFinding> inMemory() {
        return List.of(
                DatabaseFinding.note(
                        "records are in the memory of this process: other processes do not see them, and they are gone when it ends"));
    }
}
