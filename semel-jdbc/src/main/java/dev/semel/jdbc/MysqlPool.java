package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;
import java.util.Set;

/** Connection pools to the server that a URI names, with MariaDB's driver, which speaks to both. */
final class MysqlPool {

    /**
     * Every statement is short. The server gives up on a lock first; the socket's limit is for a server that is no longer
     * there to do so.
     */
    private static final Map<String, String> DRIVER_DEFAULTS =
            Map.of("connectTimeout", "3000", "socketTimeout", "15000", "tcpKeepAlive", "true");

    /**
     * Batches keep their locks for milliseconds: whoever keeps one for a second is a transaction of the application's, and
     * nobody knows for how long. Strict, so that nothing is cut to fit; whatever else the server is used to stays.
     */
    private static final String SESSION =
            "SET SESSION innodb_lock_wait_timeout = 1, SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')";

    private MysqlPool() {}

    /** The names of the parameters that the driver knows; it ignores others, and with them a typing error. */
    static Set<String> driverParameters() {
        return Pools.driverParameters("jdbc:mariadb://localhost/", "MariaDB");
    }

    /** For the store's own statements: at READ COMMITTED, which locks no gaps between records. */
    static HikariDataSource forStore(StoreUri.Mysql uri) {
        HikariConfig config = config(uri, "semel-store");
        DRIVER_DEFAULTS.forEach(config::addDataSourceProperty);
        uri.pool().driverProperties().forEach(config::addDataSourceProperty);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionInitSql(SESSION);
        return new HikariDataSource(config);
    }

    /** For the application's statements. */
    static HikariDataSource forApplication(StoreUri.Mysql uri) {
        HikariConfig config = config(uri, "semel-application");
        uri.pool().driverProperties().forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }

    private static HikariConfig config(StoreUri.Mysql uri, String name) {
        return Pools.config(
                name,
                "jdbc:mariadb://" + uri.hosts(),
                uri.database(),
                uri.credentials(),
                uri.pool().size());
    }
}
