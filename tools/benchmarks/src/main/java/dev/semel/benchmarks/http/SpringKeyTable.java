package dev.semel.benchmarks.http;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import dev.semel.redis.uri.RedisUri;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/**
 * Keys in a metadata store of Spring Integration, which is public and what its idempotent receiver uses: {@code putIfAbsent}
 * before the work. Its receiver keeps no response; here it is put as the value, as text.
 */
final class SpringKeyTable implements KeyTable {

    /** As in the schema that comes with the library. */
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS INT_METADATA_STORE (
                METADATA_KEY VARCHAR(255) NOT NULL,
                METADATA_VALUE VARCHAR(4000),
                REGION VARCHAR(100) NOT NULL,
                CONSTRAINT INT_METADATA_STORE_PK PRIMARY KEY (METADATA_KEY, REGION))
            """;

    /** What a key holds until there is a response. */
    private static final String CLAIMED = "claimed";

    private static final String SEPARATOR = "\n";

    private final ConcurrentMetadataStore store;
    private final Runnable closing;

    private SpringKeyTable(ConcurrentMetadataStore store, Runnable closing) {
        this.store = store;
        this.closing = closing;
    }

    static SpringKeyTable on(Database database, int poolSize) {
        HikariDataSource pool = database.pool(poolSize);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        JdbcMetadataStore store = new JdbcMetadataStore(pool);
        store.afterPropertiesSet();
        store.start();
        return new SpringKeyTable(store, () -> {
            store.stop();
            pool.close();
        });
    }

    /** With Spring's default: one connection that all callers share. */
    static SpringKeyTable on(RedisUri uri) {
        RedisUri.Node node = uri.nodes().get(0);
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(node.host(), node.port());
        server.setDatabase(uri.database());
        server.setUsername(uri.credentials().user());
        server.setPassword(uri.credentials().password());
        LettuceConnectionFactory connections = new LettuceConnectionFactory(server);
        connections.afterPropertiesSet();
        connections.start();
        return new SpringKeyTable(
                new RedisMetadataStore(connections, uri.options().prefix() + ":spring-integration"),
                connections::destroy);
    }

    @Override
    public boolean insert(String key) {
        return store.putIfAbsent(key, CLAIMED) == null;
    }

    @Override
    public void update(String key, Saved response) {
        store.put(
                key,
                response.status()
                        + SEPARATOR
                        + response.contentType()
                        + SEPARATOR
                        + new String(response.body(), StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable Saved find(String key) {
        String value = store.get(key);
        if (value == null || value.equals(CLAIMED)) {
            return null;
        }
        String[] parts = value.split(SEPARATOR, 3);
        return new Saved(Integer.parseInt(parts[0]), parts[1], parts[2].getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        closing.run();
    }
}
