package dev.semel.testsupport.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A real Redis Cluster on loopback: primaries that share the slots, and replicas where wanted. */
public final class RedisCluster implements AutoCloseable {

    public static final int SLOTS = 16_384;

    /** As many as {@code redis-cli} moves at once, so that clients meet slots of which half the keys are moved. */
    private static final String KEYS_AT_ONCE = "10";

    private static final String[] NODE = {
        "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no"
    };

    private final List<RedisServer> primaries;
    private final List<RedisServer> replicas;

    private RedisCluster(List<RedisServer> primaries, List<RedisServer> replicas) {
        this.primaries = List.copyOf(primaries);
        this.replicas = List.copyOf(replicas);
    }

    /** Starts a cluster of this many primaries, each with this many replicas, and waits until every node reports "ok". */
    public static RedisCluster start(int primaryCount, int replicasOfEach) {
        List<RedisServer> primaries = nodes(primaryCount);
        List<RedisServer> replicas = nodes(primaryCount * replicasOfEach);
        RedisCluster cluster = new RedisCluster(primaries, replicas);
        cluster.form(replicasOfEach);
        return cluster;
    }

    private static List<RedisServer> nodes(int count) {
        List<RedisServer> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(newNode());
        }
        return nodes;
    }

    private static RedisServer newNode() {
        return RedisServer.start(NODE);
    }

    private void form(int replicasOfEach) {
        List<RedisServer> all = nodes();
        for (int i = 0; i < all.size(); i++) {
            all.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
        }
        for (int i = 0; i < primaries.size(); i++) {
            int first = SLOTS * i / primaries.size();
            int last = SLOTS * (i + 1) / primaries.size() - 1;
            primaries.get(i).call("CLUSTER", "ADDSLOTSRANGE", String.valueOf(first), String.valueOf(last));
        }
        for (RedisServer node : all.subList(1, all.size())) {
            meet(node);
        }
        awaitMembers(all.size());
        for (int i = 0; i < replicas.size(); i++) {
            replicate(replicas.get(i), primaries.get(i / replicasOfEach));
        }
        awaitHealthy();
    }

    /** Waits until every node reports that it and all others are up. */
    public void awaitHealthy() {
        Await.until("a healthy cluster", () -> nodes().stream().allMatch(RedisCluster::isHealthy));
    }

    private void meet(RedisServer node) {
        node.call(
                "CLUSTER", "MEET", "127.0.0.1", String.valueOf(primaries.get(0).port()));
    }

    private void awaitMembers(int count) {
        Await.until(
                "every node in the node list of every other",
                () -> nodes().stream()
                        .allMatch(
                                node -> clusterInfo(node, "cluster_known_nodes").equals(String.valueOf(count))));
    }

    private static void replicate(RedisServer replica, RedisServer primary) {
        String id = idOf(primary);
        Await.until(
                "the primary in its replica's node list",
                () -> String.valueOf(replica.call("CLUSTER", "NODES")).contains(id));
        replica.call("CLUSTER", "REPLICATE", id);
        Await.until(
                "replication",
                () -> replica.info("replication", "master_link_status").equals("up"));
    }

    private static boolean isHealthy(RedisServer node) {
        return clusterInfo(node, "cluster_state").equals("ok")
                && !String.valueOf(node.call("CLUSTER", "NODES")).contains("fail");
    }

    private static String clusterInfo(RedisServer node, String name) {
        for (String line : String.valueOf(node.call("CLUSTER", "INFO")).split("\r\n", -1)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1);
            }
        }
        return "";
    }

    /** The node's id in its cluster. */
    public static String idOf(RedisServer node) {
        return String.valueOf(node.call("CLUSTER", "MYID"));
    }

    public List<RedisServer> primaries() {
        return primaries;
    }

    public List<RedisServer> replicas() {
        return replicas;
    }

    public List<RedisServer> nodes() {
        List<RedisServer> all = new ArrayList<>(primaries);
        all.addAll(replicas);
        return all;
    }

    /** As a store's URI, with every primary named. */
    public String uri() {
        return primaries.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    /** Moves a slot with all its keys to another primary, as {@code redis-cli} does while clients use it. */
    public void move(int slot, RedisServer from, RedisServer to) {
        String number = String.valueOf(slot);
        to.call("CLUSTER", "SETSLOT", number, "IMPORTING", idOf(from));
        from.call("CLUSTER", "SETSLOT", number, "MIGRATING", idOf(to));
        for (List<?> keys = keysOf(from, number); !keys.isEmpty(); keys = keysOf(from, number)) {
            List<String> migrate = new ArrayList<>(
                    List.of("MIGRATE", "127.0.0.1", String.valueOf(to.port()), "", "0", "10000", "KEYS"));
            keys.forEach(key -> migrate.add(String.valueOf(key)));
            from.call(migrate.toArray(String[]::new));
        }
        for (RedisServer node : List.of(to, from)) {
            node.call("CLUSTER", "SETSLOT", number, "NODE", idOf(to));
        }
    }

    private static List<?> keysOf(RedisServer node, String slot) {
        @Nullable Object keys = node.call("CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE);
        return keys instanceof List<?> list ? list : List.of();
    }

    @Override
    public void close() {
        nodes().forEach(RedisServer::close);
    }
}
