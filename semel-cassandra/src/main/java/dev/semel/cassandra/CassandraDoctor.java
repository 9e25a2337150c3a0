package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import dev.semel.StoreException;
import dev.semel.cassandra.table.NodeClocks;
import dev.semel.cassandra.table.RecordTable;
import java.util.List;

/** Checks the settings of a cluster, also of one that a store would refuse. */
public final class CassandraDoctor {

    private CassandraDoctor() {}

    /**
     * Returns what was found, good and bad.
     *
     * @throws StoreException when Cassandra cannot be reached
     */
    public static List<CassandraFinding> examine(CassandraUri uri) {
        try (CqlSession session = Sessions.open(uri)) {
            return examine(session, uri.keyspace(), uri.table(), uri.options());
        }
    }

    static List<CassandraFinding> examine(CqlSession session, String keyspace, String table, CassandraOptions options) {
        NodeClocks clocks = new NodeClocks(System::nanoTime);
        RecordTable.hearNodes(session, clocks).join();
        try {
            return new SchemaCheck(session, keyspace, table, options, clocks).findings();
        } catch (DriverException e) {
            throw new StoreException("Cassandra does not answer: " + e.getMessage(), e);
        }
    }
}
