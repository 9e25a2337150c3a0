package dev.semel.spring;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The properties {@code semel.jdbc.*} as the options of a store; a setting that a store does not have is refused. */
final class JdbcSettings {

    private static final String SCHEMA_MODE = "semel.jdbc.schema-mode";
    private static final String UNSAFE = "semel.jdbc.accept-unsafe-durability";
    private static final String LANES = "semel.jdbc.lanes";
    private static final String TOMBSTONES = "semel.jdbc.tombstones";
    private static final String BUSY_TIMEOUT = "semel.jdbc.busy-timeout";

    private final SemelProperties.Jdbc jdbc;

    JdbcSettings(SemelProperties.Jdbc jdbc) {
        this.jdbc = jdbc;
    }

    /** For a store that is not in the application's DataSource. */
    void requireNone() {
        String instead =
                "It is for tables in the application's DataSource, but semel.store names another store. Leave it"
                        + " out; a URI has parameters for it, as in postgresql://host/database?schemaMode=validate.";
        require(SCHEMA_MODE, jdbc.schemaMode(), instead);
        require(UNSAFE, jdbc.acceptUnsafeDurability(), instead);
        require(LANES, jdbc.lanes(), instead);
        require(BUSY_TIMEOUT, jdbc.busyTimeout(), instead);
        require(TOMBSTONES, jdbc.tombstones(), instead);
    }

    PostgresOptions ofPostgresql() {
        requireServer();
        int lanes = or(jdbc.lanes(), PostgresOptions.DEFAULT_LANES);
        return Operations.checked(
                LANES, lanes, () -> new PostgresOptions(schemaMode(), isUnsafeAccepted(), lanes, tombstones()));
    }

    MysqlOptions ofMysql() {
        requireServer();
        int lanes = or(jdbc.lanes(), MysqlOptions.DEFAULT_LANES);
        return Operations.checked(
                LANES, lanes, () -> new MysqlOptions(schemaMode(), isUnsafeAccepted(), lanes, tombstones()));
    }

    SqliteOptions ofSqlite() {
        String server = "The records are in SQLite, which has no such setting: it is for PostgreSQL, MySQL and MariaDB."
                + " Leave it out.";
        require(UNSAFE, jdbc.acceptUnsafeDurability(), server);
        require(LANES, jdbc.lanes(), server);
        Duration busyTimeout = or(jdbc.busyTimeout(), SqliteOptions.DEFAULT.busyTimeout());
        return Operations.checked(
                BUSY_TIMEOUT, busyTimeout, () -> new SqliteOptions(schemaMode(), busyTimeout, tombstones()));
    }

    private void requireServer() {
        require(BUSY_TIMEOUT, jdbc.busyTimeout(), "It is for records in SQLite, and these are not. Leave it out.");
    }

    private Duration tombstones() {
        Duration tombstones = or(jdbc.tombstones(), Duration.ZERO);
        if (tombstones.isNegative()) {
            throw new InvalidConfigurationPropertyValueException(
                    TOMBSTONES, tombstones, "Give how long to keep them, such as 90d, or leave it out for none.");
        }
        return tombstones;
    }

    private SchemaMode schemaMode() {
        return or(jdbc.schemaMode(), SchemaMode.CREATE);
    }

    private boolean isUnsafeAccepted() {
        return Boolean.TRUE.equals(jdbc.acceptUnsafeDurability());
    }

    private static <T> T or(@Nullable T set, T otherwise) {
        return set != null ? set : otherwise;
    }

    private static void require(String property, @Nullable Object value, String reason) {
        if (value != null) {
            throw new InvalidConfigurationPropertyValueException(property, value, reason);
        }
    }
}
