package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.cassandra.table.RecordIndex;
import dev.semel.cassandra.table.RecordTable;
import dev.semel.items.ItemStore;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A store of records in Apache Cassandra, 5.0 or newer.
 *
 * <ol>
 *   <li>A record is one row and one partition, with its steps and its audit. Every change is one lightweight transaction, on the
 *       condition that the row is as it was seen; {@link ItemStore} has the verbs.
 *   <li>A claim assumes that there is no row. Where there is one, the refusal brings it in the same round trip.
 *   <li>Time is what most nodes agree on: {@code docs/decisions/0057-time-on-cassandra.md}.
 *   <li>A fence is higher than that of the row before it, and than the time in microseconds.
 *   <li>A lightweight transaction without a clear answer is found out by a serial read.
 *   <li>Only settled records have a TTL. The index is for finding records, never for deciding.
 * </ol>
 */
public final class CassandraStore extends ItemStore {

    private final CqlSession session;
    private final boolean ownsSession;
    private final RecordTable table;

    private CassandraStore(CqlSession session, boolean ownsSession, RecordTable table) {
        super(table, new RecordIndex(table));
        this.session = session;
        this.ownsSession = ownsSession;
        this.table = table;
    }

    /**
     * Opens the store at a URI, such as {@code cassandra://host:9042/semel?dc=datacenter1}, and creates its table if it does not
     * exist.
     *
     * @throws IllegalArgumentException when this is no such URI; the message shows a valid form
     * @throws dev.semel.StoreException when the cluster cannot be reached, or its settings can lose acknowledged writes
     */
    public static CassandraStore open(String uri) {
        return open(CassandraUri.parse(uri));
    }

    /**
     * Opens the store at a URI.
     *
     * @throws dev.semel.StoreException when the cluster cannot be reached, or its settings can lose acknowledged writes
     */
    public static CassandraStore open(CassandraUri uri) {
        return open(uri, session -> startup(session, uri).table());
    }

    /**
     * Opens the store in a keyspace where there is one, and writes nothing to do so.
     *
     * @throws dev.semel.StoreException also when there is no store at this URI
     */
    public static CassandraStore openExisting(CassandraUri uri) {
        return open(uri, session -> startup(session, uri).existing());
    }

    private static Startup startup(CqlSession session, CassandraUri uri) {
        return new Startup(session, uri.keyspace(), uri.table(), uri.options(), System::nanoTime);
    }

    private static CassandraStore open(CassandraUri uri, Function<CqlSession, RecordTable> startup) {
        CqlSession session = Sessions.open(uri);
        try {
            return new CassandraStore(session, true, startup.apply(session));
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /**
     * Opens a store with a session of the application, which stays open when the store is closed. It must use version 4 of the
     * native protocol.
     *
     * @throws dev.semel.StoreException when the cluster cannot be reached, or its settings can lose acknowledged writes
     */
    public static CassandraStore on(CqlSession session, String keyspace, String table, CassandraOptions options) {
        return on(session, keyspace, table, options, System::nanoTime);
    }

    static CassandraStore on(
            CqlSession session, String keyspace, String table, CassandraOptions options, LongSupplier nanos) {
        return new CassandraStore(session, false, new Startup(session, keyspace, table, options, nanos).table());
    }

    /** Asks the nodes for their time now, as it is done every ten seconds of use. */
    void hearNodes() {
        table.hearNodes().join();
    }

    /** Closes the connections that it has opened itself; records stay. */
    @Override
    public void close() {
        if (ownsSession) {
            session.close();
        }
    }
}
