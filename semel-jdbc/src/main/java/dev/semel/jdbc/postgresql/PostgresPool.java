package dev.semel.jdbc.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.internal.ReadLimit;
import dev.semel.jdbc.internal.ServerDriver;
import java.util.Map;

/** The connection pool for the statements of a store. */
final class PostgresPool {

    /**
     * Every verb is one indexed statement. The server gives up on it first; the socket's limit is for a server that is no
     * longer there to do so.
     */
    private static final Map<String, String> DRIVER_DEFAULTS = Map.of(
            "connectTimeout", "3",
            "loginTimeout", "3",
            "socketTimeout", String.valueOf(ReadLimit.LONGEST.toSeconds()),
            "tcpKeepAlive", "true",
            "ApplicationName", "semel",
            "logServerErrorDetail", "false");

    private static final String SESSION = "SET statement_timeout = '10s'; " + PostgresPlanning.SESSION;

    private PostgresPool() {}

    static HikariDataSource open(DatabaseServer server) {
        HikariConfig config = ServerDriver.POSTGRESQL.config("semel-store", server);
        DRIVER_DEFAULTS.forEach(config::addDataSourceProperty);
        server.pool().driverProperties().forEach(config::addDataSourceProperty);
        config.setConnectionInitSql(SESSION);
        return new HikariDataSource(config);
    }
}
