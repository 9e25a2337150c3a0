package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.semel.testsupport.servers.CassandraCluster;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The Cassandra of this process's tests: one, which ends with it. Of as many nodes as {@code -Dcassandra.nodes} says, with as many
 * replicas.
 */
final class CassandraServers {

    static final int NODES = Integer.getInteger("cassandra.nodes", 1);

    static final String KEYSPACE = "semel";

    /** Long enough for a machine with other things to do. */
    static final CassandraOptions OPTIONS =
            CassandraOptions.DEFAULT.withTimeout(Duration.ofSeconds(20)).withAcceptUnsafeDurability(NODES < 3);

    private static final AtomicInteger TABLES = new AtomicInteger();

    private static @Nullable CassandraCluster cluster;
    private static @Nullable CqlSession session;

    private CassandraServers() {}

    static synchronized CassandraCluster cluster() {
        if (cluster == null) {
            CassandraCluster started = CassandraCluster.start(NODES);
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            cluster = started;
        }
        return cluster;
    }

    /** One session for all tests of this process, which take turns. */
    static synchronized CqlSession session() {
        if (session == null) {
            CassandraUri uri = CassandraUri.parse(cluster().uri(KEYSPACE)).withOptions(OPTIONS);
            CqlSession opened = Sessions.open(uri);
            ddl(
                    opened,
                    "CREATE KEYSPACE IF NOT EXISTS semel WITH replication = {'class': 'NetworkTopologyStrategy', '"
                            + CassandraCluster.DATACENTER + "': " + NODES + "}");
            session = opened;
        }
        return session;
    }

    static void ddl(CqlSession session, String statement) {
        session.execute(SimpleStatement.newInstance(statement).setTimeout(Duration.ofMinutes(1)));
    }

    /** Empties a table. */
    static void empty(CqlSession session, String table) {
        session.execute(SimpleStatement.newInstance("TRUNCATE " + KEYSPACE + "." + table)
                .setConsistencyLevel(ConsistencyLevel.ALL)
                .setTimeout(Duration.ofMinutes(1)));
    }

    /** A name that no table has. */
    static String newTable() {
        return "records_" + TABLES.incrementAndGet();
    }
}
