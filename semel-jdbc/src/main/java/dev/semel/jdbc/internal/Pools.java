package dev.semel.jdbc.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What connection pools report when they have no connection. */
public final class Pools {

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

    private static @Nullable HikariDataSource poolOf(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
        } catch (SQLException | RuntimeException unknown) {
            // No such pool: the message has no counts.
            return null;
        }
    }
}
