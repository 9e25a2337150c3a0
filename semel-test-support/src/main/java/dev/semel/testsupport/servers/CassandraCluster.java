package dev.semel.testsupport.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real Cassandra on loopback, of one to three nodes. Nodes find each other by one port, so they have addresses of their own:
 * 127.0.0.1 to 127.0.0.3. A module that starts one needs semel-cassandra-node among its dependencies, without what that one needs.
 */
public final class CassandraCluster implements AutoCloseable {

    /** The only data center, as nodes call it that have no other. */
    public static final String DATACENTER = "datacenter1";

    private final Path directory;
    private final List<CassandraNode> nodes;

    private CassandraCluster(Path directory, List<CassandraNode> nodes) {
        this.directory = directory;
        this.nodes = nodes;
    }

    /** Starts this many nodes at once, and waits until all of them serve clients. */
    public static CassandraCluster start(int count) {
        Path directory = Directories.create("semel-cassandra");
        int storagePort = freePort();
        int port = freePort();
        List<CassandraNode> nodes = IntStream.rangeClosed(1, count)
                .mapToObj(number ->
                        new CassandraNode(directory.resolve("node" + number), number, storagePort, port, freePort()))
                .toList();
        CassandraCluster cluster = new CassandraCluster(directory, nodes);
        nodes.forEach(CassandraNode::start);
        nodes.forEach(CassandraNode::awaitServing);
        return cluster;
    }

    /** A port that is free on each of the addresses. */
    private static int freePort() {
        while (true) {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                int port = first.getLocalPort();
                if (isFree("127.0.0.2", port) && isFree("127.0.0.3", port)) {
                    return port;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean isFree(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public List<CassandraNode> nodes() {
        return nodes;
    }

    /** As a store's URI, with every node named. */
    public String uri(String keyspace) {
        return nodes.stream()
                .map(CassandraNode::contact)
                .collect(Collectors.joining(",", "cassandra://", "/" + keyspace + "?dc=" + DATACENTER));
    }

    @Override
    public void close() {
        nodes.forEach(CassandraNode::close);
        Directories.delete(directory);
    }
}
