package dev.semel.jdbc.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What is known of connection pools: how long they let callers wait, and why they gave no connection. */
public final class Pools {

    private static final System.Logger LOG = System.getLogger("dev.semel.jdbc");

    /** Clients and proxies mostly give up after this time, and retry: each retry would hold one more thread. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private Pools() {}

    /**
     * Why a data source gave no connection in time, and what to do: all are in use, or none could be opened.
     *
     * @param server whose connections these are, such as PostgreSQL
     */
    public static String notInTime(String server, DataSource dataSource) {
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

    /**
     * Warns of a pool of the application's in which requests would wait for a stopped database longer than their clients.
     *
     * @param server whose connections these are, such as PostgreSQL
     */
    public static void warnOfLongWait(String server, DataSource dataSource) {
        HikariDataSource pool = poolOf(dataSource);
        if (pool != null && pool.getConnectionTimeout() > LONGEST_WAIT.toMillis()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "while {0} is stopped or the pool {1} is used up, each request holds its thread for {2} ms, the"
                            + " connectionTimeout of the pool. Set it to 3000, and to at most {3}, when the pool is made; with"
                            + " Spring Boot: spring.datasource.hikari.connection-timeout=3000",
                    server,
                    pool.getPoolName(),
                    String.valueOf(pool.getConnectionTimeout()),
                    String.valueOf(LONGEST_WAIT.toMillis()));
        }
    }

    private static @Nullable HikariDataSource poolOf(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
        } catch (SQLException | RuntimeException unknown) {
            // No such pool: the message has no counts.
            return null;
        }
    }
}
