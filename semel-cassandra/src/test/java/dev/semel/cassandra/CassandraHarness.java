package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.engine.Store;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.StoreHarness;
import java.time.Duration;

/**
 * A store in the one table of this process's tests, which is emptied before. The nodes tell the time of a clock that a test moves,
 * together with the elapsed time of the processes; the application's wall clock stays where it is.
 */
final class CassandraHarness implements StoreHarness {

    private static final String TABLE = "semel_records";

    private static boolean created;

    private final ManualTime time = new ManualTime();
    private final Between between;
    private final CassandraStore store;
    private final CassandraStore another;

    private volatile Duration setBack = Duration.ZERO;

    CassandraHarness() {
        this(Duration.ZERO);
    }

    /** A store that keeps tombstones for so long. */
    CassandraHarness(Duration tombstones) {
        this(CassandraServers.OPTIONS.withTombstones(tombstones));
    }

    CassandraHarness(CassandraOptions options) {
        CqlSession session = CassandraServers.session();
        empty(session);
        between = new Between(session);
        between.tell(told -> time.instant().minus(setBack));
        store = open(options);
        another = open(options);
    }

    private static synchronized void empty(CqlSession session) {
        if (created) {
            CassandraServers.empty(session, TABLE);
        }
        created = true;
    }

    private CassandraStore open(CassandraOptions options) {
        return CassandraStore.on(between.session(), CassandraServers.KEYSPACE, TABLE, options, time::nanos);
    }

    ManualTime time() {
        return time;
    }

    Between between() {
        return between;
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
    public void elapse(Duration duration) {
        if (!duration.isNegative()) {
            time.advance(duration);
            return;
        }
        setBack = setBack.minus(duration);
        store.hearNodes();
        another.hearNodes();
    }

    @Override
    public long roundTrips() {
        return between.sent();
    }

    @Override
    public void close() {
        store.close();
        another.close();
    }
}
