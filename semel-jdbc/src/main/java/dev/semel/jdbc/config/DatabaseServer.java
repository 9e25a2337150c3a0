package dev.semel.jdbc.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database on a server, and how connections to it are made. No text that this type produces contains a password.
 *
 * @param hosts one host with an optional port, or several with commas between
 * @param database the name of the database
 * @param credentials the user that connects
 * @param pool the size of the connection pool, and the driver's properties
 */
public record DatabaseServer(String hosts, String database, Credentials credentials, PoolOptions pool) {

    /** The same server with another database. */
    public DatabaseServer withDatabase(String name) {
        return new DatabaseServer(hosts, name, credentials, pool);
    }

    /** The same database with other connections. */
    public DatabaseServer withPool(PoolOptions other) {
        return new DatabaseServer(hosts, database, credentials, other);
    }

    @Override
    public String toString() {
        return "//" + (credentials.user() == null ? "" : credentials.user() + "@") + hosts + "/" + database;
    }

    /** The user that connects, and its password; null leaves it to the driver. */
    public record Credentials(
            @Nullable String user, @Nullable String password) {

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
    public record PoolOptions(int size, Map<String, String> driverProperties) {

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
