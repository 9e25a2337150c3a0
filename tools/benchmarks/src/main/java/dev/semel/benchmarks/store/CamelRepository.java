package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.load.Call;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;

/**
 * Apache Camel's idempotent repository on JDBC, used as its idempotent consumer does: {@code add} before the work,
 * {@code confirm} after it. It looks first and inserts then, in one transaction; {@code confirm} writes nothing. No response,
 * no fingerprint, no lease, no fence: it does about half of what the others do.
 */
final class CamelRepository implements AutoCloseable {

    private final HikariDataSource pool;
    private final JdbcMessageIdRepository repository;

    CamelRepository(HikariDataSource pool) {
        this.pool = pool;
        this.repository = new JdbcMessageIdRepository(pool, Payload.SCOPE);
        repository.start();
    }

    Call pairs(Keys keys) {
        return () -> {
            String key = keys.next();
            if (!repository.add(key) || !repository.confirm(key)) {
                throw new IllegalStateException("Camel says that the key " + key + " is not new");
            }
        };
    }

    @Override
    public void close() {
        repository.stop();
        pool.close();
    }
}
