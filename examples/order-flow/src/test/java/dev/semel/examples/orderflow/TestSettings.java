package dev.semel.examples.orderflow;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import java.time.Duration;
import java.util.Map;

/** The settings of the flow in tests, in every process. */
final class TestSettings {

    /** Short, so that the lease of a killed process expires soon. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** Longer than a process of these tests pauses on a busy machine. */
    private static final Duration SETTLE_WINDOW = Duration.ofSeconds(10);

    private static final Duration LONGEST_CONNECT = Duration.ofMinutes(2);

    private TestSettings() {}

    /** A static member replaces a killed one of the same name without waiting for its session timeout. */
    static Settings of(String kafka) {
        return new Settings(
                0, Map.of("bootstrap.servers", kafka, "group.instance.id", "mailer-1"), LEASE, SETTLE_WINDOW);
    }

    /** Waits for a connection for as long as a busy machine takes to open one. */
    static HikariDataSource pool(String uri) {
        StoreUri.Postgresql database = (StoreUri.Postgresql) StoreUri.parse(uri);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + database.server().hosts() + "/"
                + database.server().database());
        config.setUsername(database.server().credentials().user());
        config.addDataSourceProperty("loginTimeout", String.valueOf(LONGEST_CONNECT.toSeconds()));
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(LONGEST_CONNECT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
