package dev.semel.redis.uri;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis: {@code redis://user:password@host:port/database}, with {@code rediss://} for TLS;
 * {@code redis-sentinel://host,host/database?master=name} for servers that Sentinel monitors; and
 * {@code redis-cluster://host,host}.
 *
 * @param credentials of the servers; connections to Sentinel itself use none
 * @param options how the store uses Redis, from the parameters {@code prefix}, {@code shards}, {@code replicas},
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

    /** How the servers are deployed. */
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

    /** The user that connects; a password without a user name is the default user's. */
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
     * @param verified whether the server's certificate and host name are checked
     */
    public record Tls(boolean used, @Nullable String authorities, boolean verified) {

        public static final Tls NONE = new Tls(false, null, true);
    }

    public RedisUri {
        nodes = List.copyOf(nodes);
    }

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException when this is no URI of a Redis; the message shows a valid form
     */
    public static RedisUri parse(String uri) {
        return RedisUriParser.parse(uri);
    }

    /** Returns the schemes of these URIs. */
    public static Set<String> schemes() {
        return RedisUriParser.SCHEMES;
    }

    /** Whether a store's URI has one of these schemes. */
    public static boolean isRedis(String uri) {
        return RedisUriParser.isRedis(uri);
    }

    public RedisUri withOptions(RedisOptions other) {
        return new RedisUri(topology, nodes, credentials, database, master, tls, other);
    }

    /** Returns the URI without the password. */
    @Override
    public String toString() {
        String scheme = tls.used() ? topology.scheme().replaceFirst("redis", "rediss") : topology.scheme();
        String user = credentials.user() == null ? "" : credentials.user() + "@";
        String hosts = nodes.stream().map(Node::toString).collect(Collectors.joining(","));
        return scheme + "://" + user + hosts + (topology == Topology.CLUSTER ? "" : "/" + database);
    }
}
