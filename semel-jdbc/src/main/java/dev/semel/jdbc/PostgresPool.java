package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;
import java.util.Set;

/** Connection pools to the server that a URI names. */
final class PostgresPool {

    /**
     * Every verb is one indexed statement. The server gives up on it first; the socket's limit is for a server that is no
     * longer there to do so.
     */
    private static final Map<String, String> DRIVER_DEFAULTS = Map.of(
            "connectTimeout", "3",
            "loginTimeout", "3",
            "socketTimeout", "15",
            "tcpKeepAlive", "true",
            "ApplicationName", "semel",
            "logServerErrorDetail", "false");

    private static final String SESSION = "SET statement_timeout = '10s'";

    private PostgresPool() {}

    /** The names of the parameters that the driver knows; it ignores others, and with them a typing error. */
    static Set<String> driverParameters() {
        return Pools.driverParameters("jdbc:postgresql:", "PostgreSQL");
    }

    /** For the store's own statements. */
    static HikariDataSource forStore(StoreUri.Postgresql uri) {
        HikariConfig config = config(uri, "semel-store");
        DRIVER_DEFAULTS.forEach(config::addDataSourceProperty);
        uri.pool().driverProperties().forEach(config::addDataSourceProperty);
        config.setConnectionInitSql(SESSION);
        return new HikariDataSource(config);
    }

    /** For the application's statements. */
    static HikariDataSource forApplication(StoreUri.Postgresql uri) {
        HikariConfig config = config(uri, "semel-application");
        uri.pool().driverProperties().forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }

    private static HikariConfig config(StoreUri.Postgresql uri, String name) {
        return Pools.config(
                name,
                "jdbc:postgresql://" + uri.hosts(),
                uri.database(),
                uri.credentials(),
                uri.pool().size());
    }
}
