package dev.semel.redis.connection;

import dev.semel.redis.record.Layout;
import dev.semel.redis.uri.RedisUri;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.File;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Opens connections to the servers that a URI names. All of them fail fast, and never send a command twice. */
final class Connector implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** Enough for all requests of a busy process during one timeout; calls beyond it fail at once. */
    private static final int MAX_QUEUE = 100_000;

    /** How often the cluster's topology is read, in case no redirection reports a change. */
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);

    /** A first connection loads hundreds of classes, with those of TLS: that takes seconds on a busy machine. */
    private static final Duration MAX_START = Duration.ofSeconds(10);

    /** About as long as it takes to connect. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    /** The upper limit of the client's growing delays, so that a restarted server is used soon. */
    private static final Duration MAX_RECONNECT_DELAY = Duration.ofSeconds(1);

    private static final Duration MAX_SHUTDOWN = Duration.ofSeconds(2);

    private final RedisUri uri;
    private final Duration timeout;
    private final ClientResources resources = ClientResources.builder()
            .threadFactoryProvider(pool -> new DefaultThreadFactory(threadNameOf(pool), true))
            .reconnectDelay(Delay.exponential(Duration.ZERO, MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
            .build();
    private final AbstractRedisClient client;
    private final RedisClient once;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile boolean started;

    /** A connection, and the commands on it. */
    record Connection(StatefulConnection<byte[], byte[]> stateful, RedisClusterAsyncCommands<byte[], byte[]> commands) {

        /** Returns the commands of each server that takes writes, by the server's name. */
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
         * Waits, at most for the timeout, until the servers that hold records are connected. The client connects to a
         * cluster's nodes when they are first used, and rejects commands until then.
         */
        Connection withServers(RedisUri uri) {
            long end = System.nanoTime() + uri.options().timeout().toNanos();
            for (byte[] key : oneKeyOfEachServer(uri)) {
                while (System.nanoTime() - end < 0 && !replies(key)) {
                    LockSupport.parkNanos(POLL_INTERVAL.toNanos());
                }
            }
            return this;
        }

        private boolean replies(byte[] key) {
            Throwable failure = failureOf(key);
            return failure == null || failure instanceof RedisCommandExecutionException;
        }

        /** Whether the connection to one of the servers is open, but the server does not reply. */
        boolean isUnresponsive(RedisUri uri) {
            return oneKeyOfEachServer(uri).stream().anyMatch(key -> RedisFaults.isTimeout(failureOf(key)));
        }

        /** Reads a key over the same connections as the store's verbs, and returns the failure, if any. */
        private @Nullable Throwable failureOf(byte[] key) {
            return commands.get(key)
                    .handle((value, failure) -> failure == null ? null : RedisFaults.unwrapped(failure))
                    .toCompletableFuture()
                    .join();
        }

        private Collection<byte[]> oneKeyOfEachServer(RedisUri uri) {
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

        /** Returns the server that owns a slot of a cluster; null where none is known. */
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

    /** @param timeout for commands; the timeout for connecting is the URI's */
    Connector(RedisUri uri, Duration timeout) {
        this.uri = uri;
        this.timeout = timeout;
        this.client = uri.topology() == RedisUri.Topology.CLUSTER ? clusterClient() : client();
        this.once = RedisClient.create(resources);
        once.setOptions(configured(ClientOptions.builder()).autoReconnect(false).build());
    }

    /** Names the client's threads by their purpose; a pool's number and a thread's number follow. */
    private static String threadNameOf(String pool) {
        return switch (pool) {
            case "lettuce-timer" -> "semel-redis-timer";
            case "lettuce-eventExecutorLoop" -> "semel-redis-tasks";
            default -> "semel-redis-io";
        };
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
                // A command that was sent may have run: it fails, and is not sent again. Rejecting while disconnected
                // fails
                // the calls that are in flight; the filter alone would not.
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(MAX_QUEUE)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
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

    /** Returns the server that takes writes: the one that the URI names, or the one that Sentinel names on each connect. */
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
        return builder.withTimeout(started ? uri.options().timeout() : MAX_START)
                .withSsl(uri.tls().used())
                .withVerifyPeer(uri.tls().verified() ? SslVerifyMode.FULL : SslVerifyMode.NONE);
    }

    /** Opens a connection; to a cluster, one to each of its nodes when it is first used. */
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
     * Opens a connection to one server that is not reconnected after a fault, so that all its replies belong to the same
     * connection.
     *
     * @param node which server of a cluster; null where there is only one
     */
    CompletionStage<StatefulRedisConnection<byte[], byte[]>> connectOnce(RedisUri.@Nullable Node node) {
        return once.connectAsync(ByteArrayCodec.INSTANCE, node == null ? primary() : server(node));
    }

    /** Reads again which nodes of a cluster own which slots. */
    void refresh() {
        if (client instanceof RedisClusterClient cluster && refreshing.compareAndSet(false, true)) {
            cluster.refreshPartitionsAsync().whenComplete((done, failure) -> refreshing.set(false));
        }
    }

    /** Runs a task after a delay, unless this is closed by then. The task must not block. */
    void schedule(Duration delay, Runnable task) {
        try {
            var unused = resources.eventExecutorGroup().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.log(System.Logger.Level.DEBUG, "closed before a task was scheduled", closed);
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
        once.shutdown(Duration.ZERO, MAX_SHUTDOWN);
        client.shutdown(Duration.ZERO, MAX_SHUTDOWN);
        // Its threads are daemons: there is no need to wait for them.
        var unused = resources.shutdown(0, MAX_SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
    }
}
