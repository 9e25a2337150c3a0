package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.internal.ServerDriver;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import java.nio.file.Path;

/** Where a store is, as a URI says it. No text that this type produces contains a password. */
public sealed interface StoreUri {

    /**
     * Understands a URI.
     *
     * @throws IllegalArgumentException when it is not a store's URI; the message says what would be right
     */
    static StoreUri parse(String uri) {
        return StoreUriParser.parse(uri);
    }

    /** {@code memory:}: gone when the process ends. */
    record Memory() implements StoreUri {

        @Override
        public String toString() {
            return "memory:";
        }
    }

    /** {@code sqlite:PATH}, with the parameters {@code schemaMode} and {@code busyTimeoutMillis}. */
    record Sqlite(Path path, SqliteOptions options) implements StoreUri {

        @Override
        public String toString() {
            return "sqlite:" + path;
        }
    }

    /**
     * {@code postgresql://user:password@host:port/database}, with the parameters {@code schemaMode},
     * {@code acceptUnsafeDurability}, {@code poolSize} and {@code lanes}; all others go to the driver.
     */
    record Postgresql(DatabaseServer server, PostgresOptions options) implements StoreUri {

        /** A new connection pool to this database for the application's own statements; the caller closes it. */
        public HikariDataSource dataSource() {
            return ServerDriver.POSTGRESQL.applicationPool(server);
        }

        @Override
        public String toString() {
            return "postgresql:" + server;
        }
    }

    /**
     * {@code mysql://user:password@host:port/database}, or {@code mariadb://}, with the parameters {@code schemaMode},
     * {@code acceptUnsafeDurability} and {@code poolSize}; all others go to MariaDB's driver, which connects to both.
     */
    record Mysql(DatabaseServer server, MysqlOptions options) implements StoreUri {

        /** A new connection pool to this database for the application's own statements; the caller closes it. */
        public HikariDataSource dataSource() {
            return ServerDriver.MARIADB.applicationPool(server);
        }

        @Override
        public String toString() {
            return "mysql:" + server;
        }
    }
}
