package dev.semel.jdbc.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.internal.ReadLimit;
import dev.semel.jdbc.internal.ServerDriver;
import java.util.Map;

/** The connection pool for the statements of a store, with MariaDB's driver, which connects to both servers. */
final class MysqlPool {

    /**
     * Every statement is short. The server gives up on a lock first; the socket's limit is for a server that is no longer
     * there to do so.
     */
    private static final Map<String, String> DRIVER_DEFAULTS = Map.of(
            "connectTimeout",
            "3000",
            "socketTimeout",
            String.valueOf(ReadLimit.LONGEST.toMillis()),
            "tcpKeepAlive",
            "true");

    /**
     * Batches hold their locks for milliseconds. A lock that is held for a second is held by a transaction of the
     * application's, for an unknown time. Strict, so that no value is truncated; the server's other modes stay.
     */
    private static final String SESSION =
            "SET SESSION innodb_lock_wait_timeout = 1, SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')";

    private MysqlPool() {}

    /** Opens a pool: at READ COMMITTED, which locks no gaps between records. */
    static HikariDataSource open(DatabaseServer server) {
        HikariConfig config = ServerDriver.MARIADB.config("semel-store", server);
        DRIVER_DEFAULTS.forEach(config::addDataSourceProperty);
        server.pool().driverProperties().forEach(config::addDataSourceProperty);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionInitSql(SESSION);
        return new HikariDataSource(config);
    }
}
