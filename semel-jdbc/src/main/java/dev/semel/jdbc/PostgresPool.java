package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** Connection pools to the server that a URI names. */
final class PostgresPool {

    /** A request that waits longer than this for a connection should rather hear that the store is unavailable. */
    private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;

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
        String url = "jdbc:postgresql:";
        try {
            DriverPropertyInfo[] known = DriverManager.getDriver(url).getPropertyInfo(url, new Properties());
            return Arrays.stream(known).map(property -> property.name).collect(Collectors.toUnmodifiableSet());
        } catch (SQLException e) {
            throw new IllegalStateException("the PostgreSQL JDBC driver is not on the class path", e);
        }
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
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(
                "jdbc:postgresql://" + uri.hosts() + "/" + URLEncoder.encode(uri.database(), StandardCharsets.UTF_8));
        config.setUsername(uri.credentials().user());
        config.setPassword(uri.credentials().password());
        config.setMaximumPoolSize(uri.pool().size());
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        // The first statement reports a server that cannot be reached, with advice.
        config.setInitializationFailTimeout(-1);
        return config;
    }
}
