package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.load.Call;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/**
 * Spring Integration's metadata store on JDBC, used as its idempotent receiver does: {@code putIfAbsent} before the work,
 * nothing after it. No response, no fingerprint, no lease, no fence: it does about half of what the others do.
 */
final class SpringMetadataStore implements AutoCloseable {

    /** As in the schema that comes with it. */
    static final String CREATE = """
            CREATE TABLE INT_METADATA_STORE (
                METADATA_KEY VARCHAR(255) NOT NULL,
                METADATA_VALUE VARCHAR(4000),
                REGION VARCHAR(100) NOT NULL,
                CONSTRAINT INT_METADATA_STORE_PK PRIMARY KEY (METADATA_KEY, REGION))
            """;

    static final String INSERT =
            "INSERT INTO INT_METADATA_STORE (METADATA_KEY, METADATA_VALUE, REGION) VALUES (?, ?, ?)";

    /** Its receiver puts the time, of which so many characters remain. */
    static final String VALUE = "1763265600000";

    private final HikariDataSource pool;
    private final JdbcMetadataStore store;

    SpringMetadataStore(HikariDataSource pool) {
        this.pool = pool;
        this.store = new JdbcMetadataStore(pool);
        store.setRegion(Payload.SCOPE);
        store.afterPropertiesSet();
        store.start();
    }

    Call pairs(Keys keys) {
        return () -> {
            String key = keys.next();
            if (store.putIfAbsent(key, VALUE) != null) {
                throw new IllegalStateException("Spring says that the key " + key + " is not new");
            }
        };
    }

    @Override
    public void close() {
        store.stop();
        pool.close();
    }
}
