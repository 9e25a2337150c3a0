package dev.semel.messaging;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.PostgresServer;
import java.time.Duration;

/** Databases on the PostgreSQL server that all tests of this JVM share. */
public final class TestDatabases {

    /** As long as a busy machine takes to open a connection; the default of three seconds is for services under load. */
    private static final Duration LONGEST_CONNECT = Duration.ofMinutes(2);

    private TestDatabases() {}

    /** The URI of a new, empty database. */
    public static StoreUri.Postgresql newDatabase() {
        return (StoreUri.Postgresql) StoreUri.parse(PostgresServer.shared().newDatabase());
    }

    /** A pool of four connections to a database. Hikari reads the limit when it makes the pool, and not afterwards. */
    public static HikariDataSource pool(StoreUri.Postgresql uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(
                "jdbc:postgresql://" + uri.server().hosts() + "/" + uri.server().database());
        config.setUsername(uri.server().credentials().user());
        config.addDataSourceProperty("loginTimeout", String.valueOf(LONGEST_CONNECT.toSeconds()));
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(LONGEST_CONNECT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    public static void execute(StoreUri.Postgresql uri, String sql) {
        PostgresServer.execute(uri.toString(), sql);
    }
}
