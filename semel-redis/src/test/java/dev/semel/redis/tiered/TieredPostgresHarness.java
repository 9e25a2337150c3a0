package dev.semel.redis.tiered;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Redis in front of PostgreSQL, with a clock of both that a test can move. */
final class TieredPostgresHarness implements TransactionalHarness {

    private final PrimaryPostgres primary;
    private final AtomicLong passedNanos = new AtomicLong();
    private final FrontRedis redis;
    private final TieredStore store;
    private final TieredStore another;
    private Object lastSeen = "nothing";
    private long changes;

    TieredPostgresHarness(RedisServer server) {
        this(server, Duration.ZERO);
    }

    /** With a primary store that keeps tombstones for so long. */
    TieredPostgresHarness(RedisServer server, Duration tombstones) {
        primary = new PrimaryPostgres(tombstones.toDays());
        redis = new FrontRedis(server);
        store = redis.over(primary.open(), this::nanos);
        another = redis.over(primary.open(), this::nanos);
    }

    private long nanos() {
        return System.nanoTime() + passedNanos.get();
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store another() {
        return another;
    }

    @Override
    public TransactionalStore transactional() {
        if (store instanceof TransactionalStore transactional) {
            return transactional;
        }
        throw new AssertionError("the primary store is transactional, and the tiered store is not");
    }

    @Override
    public DataSource connections() {
        return primary.connections();
    }

    @Override
    public void elapse(Duration duration) {
        primary.elapse(duration);
        passedNanos.addAndGet(duration.toNanos());
    }

    /** Rises when a command went to PostgreSQL or Redis since the last call; TieredRoundTripsTest counts them. */
    @Override
    public long roundTrips() {
        Object last = List.of(primary.lastStatements(), store.statistics());
        if (!last.equals(lastSeen)) {
            lastSeen = last;
            changes++;
        }
        return changes;
    }

    @Override
    public void close() {
        store.close();
        another.close();
        primary.close();
        redis.close();
    }
}
