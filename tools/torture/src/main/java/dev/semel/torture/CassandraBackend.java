package dev.semel.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import dev.semel.testsupport.servers.CassandraCluster;
import dev.semel.testsupport.servers.CassandraNode;
import dev.semel.torture.net.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Three nodes of Cassandra that the run started, each with a replica of every record. Nodes send clients their own addresses, so
 * there is no proxy in between. One node after the other is broken; every fifth time two at once, so that no majority is left.
 */
final class CassandraBackend implements Backend {

    private static final int NODES = 3;
    private static final int MAJORITY_EVERY = 5;
    private static final Duration DDL_TIMEOUT = Duration.ofMinutes(1);
    private static final String KEYSPACE = "semel";
    private static final String CREATE_KEYSPACE = "CREATE KEYSPACE " + KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + CassandraCluster.DATACENTER + "': " + NODES
            + "}";

    private final CassandraCluster cluster;
    private int turn;

    private CassandraBackend(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts a cluster with an empty keyspace. */
    static CassandraBackend start() {
        CassandraCluster cluster = CassandraCluster.start(NODES);
        try (CqlSession session = CqlSession.builder()
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, DDL_TIMEOUT)
                        .build())
                .addContactPoint(cluster.nodes().get(0).address())
                .withLocalDatacenter(CassandraCluster.DATACENTER)
                .build()) {
            session.execute(CREATE_KEYSPACE);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        return new CassandraBackend(cluster);
    }

    @Override
    public Setup.Server kind() {
        return Setup.Server.OWN_CASSANDRA;
    }

    @Override
    public String uriFor(int app) {
        return cluster.uri(KEYSPACE) + "&timeoutMillis=3000";
    }

    @Override
    public String directUri() {
        return cluster.uri(KEYSPACE) + "&timeoutMillis=30000";
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return Optional.empty();
    }

    private List<CassandraNode> current() {
        int first = turn % NODES;
        CassandraNode one = cluster.nodes().get(first);
        return turn % MAJORITY_EVERY == 0 ? List.of(one, cluster.nodes().get((first + 1) % NODES)) : List.of(one);
    }

    private List<CassandraNode> next() {
        turn++;
        return current();
    }

    @Override
    public void pause() {
        next().forEach(CassandraNode::pause);
    }

    @Override
    public void goOn() {
        current().forEach(CassandraNode::resume);
    }

    @Override
    public void kill() {
        next().forEach(CassandraNode::kill);
    }

    @Override
    public void restart() {
        current().forEach(CassandraNode::restart);
    }

    /** Cassandra does not report which writes share a sync. */
    @Override
    public Optional<Sharing> sharing() {
        return Optional.empty();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
