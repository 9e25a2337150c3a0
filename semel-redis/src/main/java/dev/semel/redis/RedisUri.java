package dev.semel.redis;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis is: {@code redis://user:password@host:port/database}, with {@code rediss://} for TLS;
 * {@code redis-sentinel://host,host/database?master=name} for servers that Sentinel watches; and
 * {@code redis-cluster://host,host}.
 *
 * @param credentials of the servers; Sentinel itself is asked without
 * @param options how the store uses it, from the parameters {@code prefix}, {@code shards}, {@code replicas},
 *     {@code timeoutMillis}, {@code keepMarkedDays} and {@code acceptUnsafeDurability}
 */
public record RedisUri(
        Topology topology,
        List<Node> nodes,
        Credentials credentials,
        int database,
        @Nullable String master,
        Tls tls,
        RedisOptions options) {

    /** How the servers belong together. */
    public enum Topology {
        SERVER("redis"),
        SENTINEL("redis-sentinel"),
        CLUSTER("redis-cluster");

        private final String scheme;

        Topology(String scheme) {
            this.scheme = scheme;
        }

        String scheme() {
            return scheme;
        }
    }

    /** One server, or one Sentinel. */
    public record Node(String host, int port) {

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Who connects; a password without a user is that of the default user. */
    public record Credentials(
            @Nullable String user, @Nullable String password) {

        public static final Credentials NONE = new Credentials(null, null);

        @Override
        public String toString() {
            return "user " + user;
        }
    }

    /**
     * Whether connections are encrypted, from the scheme and the parameters {@code tlsCa} and {@code tlsVerify}.
     *
     * @param authorities a PEM file with the certificates to trust; null for those that Java trusts
     * @param verified whether the server's certificate has to be valid and for its host
     */
    public record Tls(boolean used, @Nullable String authorities, boolean verified) {

        public static final Tls NONE = new Tls(false, null, true);
    }

    public RedisUri {
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException when it is not that of a Redis; the message says what would be right
     */
    public static RedisUri parse(String uri) {
        return RedisUriParser.parse(uri);
    }

    /** Whether the scheme of a store's URI is one of these. */
    public static boolean isRedis(String uri) {
        return RedisUriParser.isRedis(uri);
    }

    public RedisUri withOptions(RedisOptions other) {
        return new RedisUri(topology, nodes, credentials, database, master, tls, other);
    }

    /** Without the password. */
    @Override
    public String toString() {
        String scheme = tls.used() ? topology.scheme().replaceFirst("redis", "rediss") : topology.scheme();
        String user = credentials.user() == null ? "" : credentials.user() + "@";
        String hosts = nodes.stream().map(Node::toString).collect(Collectors.joining(","));
        return scheme + "://" + user + hosts + (topology == Topology.CLUSTER ? "" : "/" + database);
    }
}
