package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What connection pools have in common, whatever the server. */
final class Pools {

    /** A request that waits longer than this for a connection should rather hear that the store is unavailable. */
    private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;

    private Pools() {}

    /** The names of the parameters that a driver knows; it ignores others, and with them a typing error. */
    static Set<String> driverParameters(String url, String driver) {
        try {
            DriverPropertyInfo[] known = DriverManager.getDriver(url).getPropertyInfo(url, new Properties());
            return Arrays.stream(known).map(property -> property.name).collect(Collectors.toUnmodifiableSet());
        } catch (SQLException e) {
            throw new IllegalStateException("the " + driver + " JDBC driver is not on the class path", e);
        }
    }

    /** A pool of this name to a database of the server that the prefix of a JDBC URL names. */
    static HikariConfig config(
            String name, String server, String database, StoreUri.Credentials credentials, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(server + "/" + URLEncoder.encode(database, StandardCharsets.UTF_8));
        config.setUsername(credentials.user());
        config.setPassword(credentials.password());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        // The first statement reports a server that cannot be reached, with advice.
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /**
     * Why a data source gave no connection in time, and what to do: all are in use, or none could be opened.
     *
     * @param server whose connections these are, such as PostgreSQL
     */
    static String notInTime(String server, DataSource dataSource) {
        HikariDataSource pool = poolOf(dataSource);
        HikariPoolMXBean counts = pool == null ? null : pool.getHikariPoolMXBean();
        if (pool == null || counts == null) {
            return "no connection to " + server
                    + " became free or could be opened in time; raise the pool's size, or find"
                    + " what holds its connections, or what keeps the server from answering";
        }
        int open = counts.getTotalConnections();
        int most = pool.getMaximumPoolSize();
        String known =
                " within " + pool.getConnectionTimeout() + " ms: the pool has " + open + " of " + most + " open, "
                        + counts.getActiveConnections() + " in use, and " + counts.getThreadsAwaitingConnection()
                        + " callers wait; ";
        if (open >= most) {
            return "no connection to " + server + " became free" + known + "raise poolSize, or find what holds them";
        }
        return "no connection to " + server + " could be opened" + known + "look at the load of the server and of this"
                + " machine and at the network between them, and try again";
    }

    private static @Nullable HikariDataSource poolOf(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
        } catch (SQLException | RuntimeException unknown) {
            // Then it is no such pool, and only the message is poorer for it.
            return null;
        }
    }
}
