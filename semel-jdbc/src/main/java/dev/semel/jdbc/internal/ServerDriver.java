package dev.semel.jdbc.internal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.config.DatabaseServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** The JDBC driver of a database server, and the connection pools that use it. */
public enum ServerDriver {
    POSTGRESQL(DriverLibrary.POSTGRESQL, "jdbc:postgresql://"),
    /** Connects to MySQL, too. */
    MARIADB(DriverLibrary.MARIADB, "jdbc:mariadb://");

    /** A request that waits longer than this for a connection should rather fail: the store is unavailable. */
    private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;

    /** HikariCP tests an idle connection before it hands it out, for up to 5 s by default: longer than the wait above. */
    private static final long VALIDATION_TIMEOUT_MILLIS = 2_000;

    private final DriverLibrary library;
    private final String prefix;

    ServerDriver(DriverLibrary library, String prefix) {
        this.library = library;
        this.prefix = prefix;
    }

    /** The names of the driver's parameters. It ignores all others, so that a misspelt one would go unnoticed. */
    public Set<String> parameters() {
        library.require();
        String url = prefix + "localhost/";
        try {
            DriverPropertyInfo[] known = DriverManager.getDriver(url).getPropertyInfo(url, new Properties());
            return Arrays.stream(known).map(property -> property.name).collect(Collectors.toUnmodifiableSet());
        } catch (SQLException e) {
            throw library.missing(e);
        }
    }

    /** A pool for the application's own statements. */
    public HikariDataSource applicationPool(DatabaseServer server) {
        HikariConfig config = config("semel-application", server);
        server.pool().driverProperties().forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }

    /** The settings of a pool of this name, still without the driver's properties. */
    public HikariConfig config(String name, DatabaseServer server) {
        library.require();
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(prefix + server.hosts() + "/" + URLEncoder.encode(server.database(), StandardCharsets.UTF_8));
        config.setUsername(server.credentials().user());
        config.setPassword(server.credentials().password());
        config.setMaximumPoolSize(server.pool().size());
        config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        config.setValidationTimeout(VALIDATION_TIMEOUT_MILLIS);
        // The first statement reports a server that cannot be reached, with advice.
        config.setInitializationFailTimeout(-1);
        return config;
    }
}
