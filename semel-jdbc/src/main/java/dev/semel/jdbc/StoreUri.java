package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
     *
     * @param hosts one host with an optional port, or several with commas between
     */
    record Postgresql(String hosts, String database, Credentials credentials, PoolOptions pool, PostgresOptions options)
            implements StoreUri {

        /** A new connection pool to this database for the application's own statements; the caller closes it. */
        public HikariDataSource dataSource() {
            return PostgresPool.forApplication(this);
        }

        @Override
        public String toString() {
            return "postgresql://" + (credentials.user() == null ? "" : credentials.user() + "@") + hosts + "/"
                    + database;
        }
    }

    /**
     * {@code mysql://user:password@host:port/database}, or {@code mariadb://}, with the parameters {@code schemaMode},
     * {@code acceptUnsafeDurability} and {@code poolSize}; all others go to MariaDB's driver, which speaks to both.
     *
     * @param hosts one host with an optional port, or several with commas between
     */
    record Mysql(String hosts, String database, Credentials credentials, PoolOptions pool, MysqlOptions options)
            implements StoreUri {

        /** A new connection pool to this database for the application's own statements; the caller closes it. */
        public HikariDataSource dataSource() {
            return MysqlPool.forApplication(this);
        }

        @Override
        public String toString() {
            return "mysql://" + (credentials.user() == null ? "" : credentials.user() + "@") + hosts + "/" + database;
        }
    }

    /** Who connects; null leaves it to the driver. */
    record Credentials(@Nullable String user, @Nullable String password) {

        @Override
        public String toString() {
            return "user " + user;
        }
    }

    /**
     * How connections are made.
     *
     * @param size the most that are open at once
     * @param driverProperties passed to the driver as they are; some hold secrets
     */
    record PoolOptions(int size, Map<String, String> driverProperties) {

        /** Enough to keep two cores of a database busy; a store's statements are short. */
        public static final int DEFAULT_SIZE = 10;

        public PoolOptions {
            if (size < 1) {
                throw new IllegalArgumentException("poolSize is " + size + ": at least one connection is needed");
            }
            driverProperties = Map.copyOf(driverProperties);
        }

        @Override
        public String toString() {
            return "at most " + size + " connections, driver properties " + driverProperties.keySet();
        }
    }
}
