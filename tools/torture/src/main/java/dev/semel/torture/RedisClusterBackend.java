package dev.semel.torture;

import dev.semel.redis.uri.RedisUri;
import dev.semel.testsupport.servers.RedisCluster;
import dev.semel.testsupport.servers.RedisServer;
import dev.semel.torture.net.TcpProxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster that the run started or was given. Its servers send clients their own addresses, so there is no proxy
 * in between. Nothing takes over from a primary that is killed: what it has confirmed is on its disk, and comes back with it.
 */
final class RedisClusterBackend implements Backend {

    private static final int PRIMARIES = 3;

    /** So few that a shard soon has more keys than move at once, and clients meet it while half of them are moved. */
    private static final int SHARDS = 6;

    private final String uri;
    private final @Nullable Own own;
    private @Nullable RedisServer paused;

    private RedisClusterBackend(String uri, @Nullable Own own) {
        this.uri = uri;
        this.own = own;
    }

    /** Starts a cluster that keeps what it confirms. */
    static RedisClusterBackend start() {
        RedisCluster cluster = RedisCluster.start(PRIMARIES, 0);
        return new RedisClusterBackend(cluster.uri() + "?shards=" + SHARDS, new Own(cluster));
    }

    /** Uses a cluster that runs. */
    static RedisClusterBackend at(String uri) {
        return new RedisClusterBackend(uri, null);
    }

    @Override
    public Setup.Server kind() {
        return own == null ? Setup.Server.FOREIGN_REDIS_CLUSTER : Setup.Server.OWN_REDIS_CLUSTER;
    }

    @Override
    public String uriFor(int app) {
        return own == null ? uri : uri + "&" + RedisBackend.OPTIONS;
    }

    @Override
    public String directUri() {
        return own == null ? uri : uri + "&" + RedisBackend.DIRECT_OPTIONS;
    }

    @Override
    public Optional<TcpProxy> proxy(int app) {
        return Optional.empty();
    }

    /** Stops one primary: each time the next. */
    @Override
    public void pause() {
        RedisServer primary = required().next();
        paused = primary;
        primary.pause();
    }

    @Override
    public void goOn() {
        RedisServer primary = paused;
        if (primary != null) {
            paused = null;
            primary.resume();
            required().cluster.awaitHealthy();
        }
    }

    /** Kills one primary: each time the next. */
    @Override
    public void kill() {
        required().next().kill();
    }

    @Override
    public void restart() {
        required().current().restart();
        required().cluster.awaitHealthy();
    }

    private Own required() {
        if (own == null) {
            throw new UnsupportedOperationException("the run did not start this cluster, and does not break it");
        }
        return own;
    }

    @Override
    public Optional<Shards> shards() {
        return Optional.ofNullable(own);
    }

    /** Redis does not report which writes share a sync. */
    @Override
    public Optional<Sharing> sharing() {
        return Optional.empty();
    }

    @Override
    public void close() {
        if (own != null) {
            own.cluster.close();
        }
    }

    /** A cluster of this run's own. */
    private static final class Own implements Shards {

        private final RedisCluster cluster;
        private final Map<Integer, RedisServer> owners = new HashMap<>();
        private int turn;

        Own(RedisCluster cluster) {
            this.cluster = cluster;
        }

        RedisServer current() {
            return cluster.primaries().get(turn % PRIMARIES);
        }

        RedisServer next() {
            turn++;
            return current();
        }

        @Override
        public void move(int number) {
            int slot = slotOf(number % SHARDS);
            RedisServer from = owners.computeIfAbsent(slot, this::ownerAtFirst);
            List<RedisServer> others =
                    cluster.primaries().stream().filter(each -> each != from).toList();
            RedisServer to = others.get(number / SHARDS % others.size());
            cluster.move(slot, from, to);
            owners.put(slot, to);
        }

        private int slotOf(int shard) {
            String prefix = RedisUri.parse(cluster.uri()).options().prefix();
            Object slot = current().call("CLUSTER", "KEYSLOT", prefix + ":{" + shard + "}");
            return Integer.parseInt(String.valueOf(slot));
        }

        private RedisServer ownerAtFirst(int slot) {
            return cluster.primaries().get(slot * PRIMARIES / RedisCluster.SLOTS);
        }
    }
}
