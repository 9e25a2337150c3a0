package dev.semel.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.io.File;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Makes connections to the servers that a URI names, all alike in how they fail: soon, and never by doing a thing twice. */
final class Connector implements AutoCloseable {

    /** Enough for every request of a busy process to wait a timeout long; what comes beyond is refused at once. */
    private static final int LONGEST_QUEUE = 100_000;

    /** How long an operator's change to a cluster may go unnoticed while no node says so. */
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);

    /** A first connection loads hundreds of classes, those of TLS among them: a busy machine takes seconds for it. */
    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    /** A connection takes about as long. */
    private static final Duration PAUSE = Duration.ofMillis(2);

    /** The client waits longer from try to try; a server that is back is to be found soon. */
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);

    private static final Duration LONGEST_SHUTDOWN = Duration.ofSeconds(2);

    private final RedisUri uri;
    private final Duration patience;
    private final ClientResources resources = ClientResources.builder()
            .reconnectDelay(Delay.exponential(Duration.ZERO, LONGEST_RECONNECT, 2, TimeUnit.MILLISECONDS))
            .build();
    private final AbstractRedisClient client;
    private final RedisClient once;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile boolean started;

    /** A connection, and the commands on it. */
    record Connection(StatefulConnection<byte[], byte[]> stateful, RedisClusterAsyncCommands<byte[], byte[]> commands) {

        /** The commands of each server that takes writes, with its name. */
        Map<String, RedisClusterAsyncCommands<byte[], byte[]>> servers(RedisUri uri) {
            if (!(stateful instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster)) {
                return Map.of(uri.toString(), commands);
            }
            Map<String, RedisClusterAsyncCommands<byte[], byte[]>> servers = new LinkedHashMap<>();
            for (RedisClusterNode node : cluster.getPartitions()) {
                if (node.is(RedisClusterNode.NodeFlag.UPSTREAM)) {
                    String name = node.getUri().getHost() + ":" + node.getUri().getPort();
                    servers.put(name, cluster.getConnection(node.getNodeId()).async());
                }
            }
            return servers;
        }

        /**
         * Waits, if not for ever, until those servers are connected that have records. A cluster's nodes are connected when
         * they are first needed, and what comes before that is refused.
         */
        Connection withServers(RedisUri uri) {
            long end = System.nanoTime() + uri.options().timeout().toNanos();
            for (byte[] key : aKeyOfEachServer(uri)) {
                while (System.nanoTime() - end < 0 && !answers(key)) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
            return this;
        }

        private boolean answers(byte[] key) {
            Throwable failure = failureOf(key);
            return failure == null || failure instanceof RedisCommandExecutionException;
        }

        /** Whether there is a server that the network takes to be connected, but that says nothing. */
        boolean isSilent(RedisUri uri) {
            return aKeyOfEachServer(uri).stream().anyMatch(key -> Faults.isTimeout(failureOf(key)));
        }

        /** What becomes of a read over the very connections that verbs use. */
        private @Nullable Throwable failureOf(byte[] key) {
            return commands.get(key)
                    .handle((value, failure) -> failure == null ? null : Faults.unwrapped(failure))
                    .toCompletableFuture()
                    .join();
        }

        private Collection<byte[]> aKeyOfEachServer(RedisUri uri) {
            Layout layout = new Layout(uri.options().prefix(), uri.options().shards());
            byte[] ownKey = Layout.ownKey(uri.options().prefix());
            Map<Optional<RedisUri.Node>, byte[]> keys = new HashMap<>();
            keys.put(Optional.ofNullable(serverOf(SlotHash.getSlot(ownKey))), ownKey);
            for (int shard = 0; shard < layout.shards(); shard++) {
                byte[] root = layout.root(shard);
                keys.putIfAbsent(Optional.ofNullable(serverOf(SlotHash.getSlot(root))), root);
            }
            return keys.values();
        }

        /** The server that has a slot of a cluster; null where nobody is known to have it. */
        RedisUri.@Nullable Node serverOf(int slot) {
            if (!(stateful instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster)) {
                return null;
            }
            RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(slot);
            return node == null
                    ? null
                    : new RedisUri.Node(node.getUri().getHost(), node.getUri().getPort());
        }
    }

    /** @param patience how long a command may take; to connect may take as long as the URI says */
    Connector(RedisUri uri, Duration patience) {
        this.uri = uri;
        this.patience = patience;
        this.client = uri.topology() == RedisUri.Topology.CLUSTER ? clusterClient() : client();
        this.once = RedisClient.create(resources);
        once.setOptions(configured(ClientOptions.builder()).autoReconnect(false).build());
    }

    private RedisClient client() {
        RedisClient made = RedisClient.create(resources);
        made.setOptions(configured(ClientOptions.builder()).build());
        return made;
    }

    private RedisClusterClient clusterClient() {
        RedisClusterClient made = RedisClusterClient.create(resources, servers());
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .build());
        configured(options);
        made.setOptions(options.build());
        return made;
    }

    private ClientOptions.Builder configured(ClientOptions.Builder options) {
        return options.protocolVersion(ProtocolVersion.RESP2)
                // What was sent may have been done: its caller hears that nobody knows, and nobody sends it again.
                // Rejecting while disconnected ends the calls that are on their way; the filter alone would not.
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(LONGEST_QUEUE)
                .timeoutOptions(TimeoutOptions.enabled(patience))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(uri.options().timeout())
                        .keepAlive(true)
                        .build())
                .sslOptions(sslOptions());
    }

    private SslOptions sslOptions() {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        if (uri.tls().authorities() != null) {
            ssl.trustManager(new File(uri.tls().authorities()));
        }
        return ssl.build();
    }

    private List<RedisURI> servers() {
        return uri.nodes().stream().map(this::server).toList();
    }

    private RedisURI server(RedisUri.Node node) {
        return withAccess(RedisURI.builder()
                        .withHost(node.host())
                        .withPort(node.port())
                        .withDatabase(uri.database()))
                .build();
    }

    /** The server that takes writes: the one that is named, or whichever Sentinel names whenever a connection is made. */
    private RedisURI primary() {
        if (uri.topology() != RedisUri.Topology.SENTINEL) {
            return servers().get(0);
        }
        RedisURI.Builder builder = RedisURI.builder()
                .withSentinelMasterId(String.valueOf(uri.master()))
                .withDatabase(uri.database());
        for (RedisUri.Node sentinel : uri.nodes()) {
            builder.withSentinel(
                    withTls(RedisURI.builder().withHost(sentinel.host()).withPort(sentinel.port()))
                            .build());
        }
        return withAccess(builder).build();
    }

    private RedisURI.Builder withAccess(RedisURI.Builder builder) {
        RedisUri.Credentials credentials = uri.credentials();
        if (credentials.password() != null) {
            char[] password = credentials.password().toCharArray();
            if (credentials.user() == null) {
                builder.withPassword(password);
            } else {
                builder.withAuthentication(credentials.user(), password);
            }
        }
        return withTls(builder);
    }

    private RedisURI.Builder withTls(RedisURI.Builder builder) {
        return builder.withTimeout(started ? uri.options().timeout() : LONGEST_START)
                .withSsl(uri.tls().used())
                .withVerifyPeer(uri.tls().verified() ? SslVerifyMode.FULL : SslVerifyMode.NONE);
    }

    /** A new connection; to a cluster, one to each of its nodes as they are needed. */
    CompletionStage<Connection> connect() {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.refreshPartitionsAsync()
                    .thenCompose(known -> cluster.connectAsync(ByteArrayCodec.INSTANCE))
                    .thenApply(this::connection);
        }
        RedisClient single = (RedisClient) client;
        return single.connectAsync(ByteArrayCodec.INSTANCE, primary()).thenApply(this::connection);
    }

    /**
     * A connection to one server that ends with the first fault and is not made again: whatever is answered on it has come
     * the same way.
     *
     * @param node which server of a cluster; null for the only one
     */
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connectOnce(RedisUri.@Nullable Node node) {
        return once.connectAsync(ByteArrayCodec.INSTANCE, node == null ? primary() : server(node));
    }

    /** Asks the nodes of a cluster who has which slots. */
    void refresh() {
        if (client instanceof RedisClusterClient cluster && refreshing.compareAndSet(false, true)) {
            cluster.refreshPartitionsAsync().whenComplete((done, failure) -> refreshing.set(false));
        }
    }

    private Connection connection(StatefulRedisClusterConnection<byte[], byte[]> stateful) {
        started = true;
        return new Connection(stateful, stateful.async());
    }

    private Connection connection(StatefulRedisConnection<byte[], byte[]> stateful) {
        started = true;
        return new Connection(stateful, stateful.async());
    }

    @Override
    public void close() {
        once.shutdown(Duration.ZERO, LONGEST_SHUTDOWN);
        client.shutdown(Duration.ZERO, LONGEST_SHUTDOWN);
        // Its threads are daemons, and there is nothing to do if one takes its time.
        var unused = resources.shutdown(0, LONGEST_SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
    }
}
