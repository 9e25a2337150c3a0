package dev.semel.redis;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testsupport.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Redis in front of PostgreSQL, where a test lets time pass for both clocks. */
final class TieredPostgresHarness implements TransactionalHarness {

    private final PostgresTruth truth = new PostgresTruth();
    private final AtomicLong passedNanos = new AtomicLong();
    private final FrontRedis redis;
    private final TieredStore store;
    private final TieredStore another;
    private Object lastSeen = "nothing";
    private long changes;

    TieredPostgresHarness(RedisServer server) {
        redis = new FrontRedis(server);
        store = redis.over(truth.open(), this::nanos);
        another = redis.over(truth.open(), this::nanos);
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
        throw new AssertionError("the truth is transactional, and the tiered store is not");
    }

    @Override
    public DataSource connections() {
        return truth.connections();
    }

    @Override
    public void elapse(Duration duration) {
        truth.elapse(duration);
        passedNanos.addAndGet(duration.toNanos());
    }

    /** Rises when PostgreSQL or Redis were asked in between; how often, TieredRoundTripsTest counts. */
    @Override
    public long roundTrips() {
        Object last = List.of(truth.lastStatements(), store.statistics());
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
        truth.close();
        redis.close();
    }
}
