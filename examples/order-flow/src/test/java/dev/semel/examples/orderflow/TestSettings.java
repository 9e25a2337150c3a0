package dev.semel.examples.orderflow;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import java.time.Duration;
import java.util.Map;

/** How the flow is set up in tests, whichever process it is in. */
final class TestSettings {

    /** What a killed process has left is noticed soon. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** Longer than a process of these tests is held up on a busy machine. */
    private static final Duration SETTLE_WINDOW = Duration.ofSeconds(10);

    private static final Duration LONGEST_CONNECT = Duration.ofMinutes(2);

    private TestSettings() {}

    /** A member of a group that has a name takes the place of a killed one of this name, and nobody waits for that. */
    static Settings of(String kafka) {
        return new Settings(
                0, Map.of("bootstrap.servers", kafka, "group.instance.id", "mailer-1"), LEASE, SETTLE_WINDOW);
    }

    /** Waits for a connection for as long as a busy machine takes to open one. */
    static HikariDataSource pool(String uri) {
        StoreUri.Postgresql database = (StoreUri.Postgresql) StoreUri.parse(uri);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + database.hosts() + "/" + database.database());
        config.setUsername(database.credentials().user());
        config.addDataSourceProperty("loginTimeout", String.valueOf(LONGEST_CONNECT.toSeconds()));
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(LONGEST_CONNECT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
