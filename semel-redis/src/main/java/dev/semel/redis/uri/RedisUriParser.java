package dev.semel.redis.uri;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parser of {@link RedisUri}. Its messages quote no part of a malformed URI: any part could be a password. */
final class RedisUriParser {

    static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");

    private static final Pattern SCHEME = Pattern.compile("(rediss?)(-sentinel|-cluster)?:");
    private static final Pattern NODE = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");

    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26_379;
    private static final int HIGHEST_PORT = 65_535;

    private static final Set<String> PARAMETERS = Set.of(
            "prefix",
            "shards",
            "replicas",
            "timeoutMillis",
            "keepMarkedDays",
            "tombstoneDays",
            "acceptUnsafeDurability",
            "master",
            "tlsCa",
            "tlsVerify");

    private RedisUriParser() {}

    static boolean isRedis(String uri) {
        return SCHEME.matcher(uri).lookingAt();
    }

    static RedisUri parse(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        if (!scheme.lookingAt()) {
            throw new IllegalArgumentException("not the URI of a Redis: use redis://, rediss://, redis-sentinel:// or"
                    + " redis-cluster:// with user:password@host:port");
        }
        RedisUri.Topology topology = topology(scheme.group(2));
        String rest = uri.substring(scheme.end());
        if (!rest.startsWith("//")) {
            throw new IllegalArgumentException(
                    topology.scheme() + ": must be followed by two slashes: use " + example(topology));
        }
        int question = rest.indexOf('?');
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        String beforeQuery = rest.substring(2, question < 0 ? rest.length() : question);
        int at = beforeQuery.lastIndexOf('@');
        int slash = beforeQuery.indexOf('/', at + 1);
        String hosts = beforeQuery.substring(at + 1, slash < 0 ? beforeQuery.length() : slash);
        String database = slash < 0 ? "" : beforeQuery.substring(slash + 1);
        return new RedisUri(
                topology,
                nodes(topology, hosts),
                credentials(at < 0 ? "" : beforeQuery.substring(0, at)),
                database(topology, database),
                master(topology, parameters.get("master")),
                tls(scheme.group(1).equals("rediss"), parameters),
                options(topology, parameters));
    }

    private static RedisUri.Topology topology(@Nullable String suffix) {
        if (suffix == null) {
            return RedisUri.Topology.SERVER;
        }
        return suffix.equals("-cluster") ? RedisUri.Topology.CLUSTER : RedisUri.Topology.SENTINEL;
    }

    private static String example(RedisUri.Topology topology) {
        return switch (topology) {
            case SERVER -> "redis://user:password@host:port/database";
            case SENTINEL -> "redis-sentinel://user:password@host:port,host:port/database?master=name";
            case CLUSTER -> "redis-cluster://user:password@host:port,host:port";
        };
    }

    private static List<RedisUri.Node> nodes(RedisUri.Topology topology, String hosts) {
        List<RedisUri.Node> nodes = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            Matcher matcher = NODE.matcher(host);
            int port = !matcher.matches() || matcher.group(2) == null
                    ? (topology == RedisUri.Topology.SENTINEL ? SENTINEL_PORT : PORT)
                    : Integer.parseInt(matcher.group(2));
            if (port > HIGHEST_PORT || port == 0) {
                throw new IllegalArgumentException(topology.scheme() + ": has a port that is not between 1 and "
                        + HIGHEST_PORT + ": use " + example(topology));
            }
            if (!matcher.matches()) {
                throw new IllegalArgumentException(topology.scheme() + ": has a malformed host or port: use "
                        + example(topology) + ", and percent-encode @, / and ? in user and password");
            }
            nodes.add(new RedisUri.Node(matcher.group(1), port));
        }
        if (nodes.size() > 1 && topology == RedisUri.Topology.SERVER) {
            throw new IllegalArgumentException("redis: names several hosts: use redis-cluster:// or redis-sentinel://");
        }
        return nodes;
    }

    private static RedisUri.Credentials credentials(String userInfo) {
        if (userInfo.isEmpty()) {
            return RedisUri.Credentials.NONE;
        }
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "before the @, a Redis URI has user:password, or :password for the default user");
        }
        String user = decoded("user", userInfo.substring(0, colon));
        return new RedisUri.Credentials(
                user.isEmpty() ? null : user, decoded("password", userInfo.substring(colon + 1)));
    }

    private static int database(RedisUri.Topology topology, String text) {
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,4}")) {
            throw new IllegalArgumentException(
                    topology.scheme() + ": the database is a number, such as 0: use " + example(topology));
        }
        int database = Integer.parseInt(text);
        if (database > 0 && topology == RedisUri.Topology.CLUSTER) {
            throw new IllegalArgumentException(
                    "redis-cluster: has only one database: leave the number out, and give each store its own prefix");
        }
        return database;
    }

    private static @Nullable String master(RedisUri.Topology topology, @Nullable String name) {
        boolean sentinel = topology == RedisUri.Topology.SENTINEL;
        if (sentinel == (name == null)) {
            throw new IllegalArgumentException(
                    sentinel
                            ? "redis-sentinel: lacks the parameter 'master': use " + example(topology)
                            : topology.scheme() + ": has no parameter 'master': that is for redis-sentinel://");
        }
        return name;
    }

    private static RedisUri.Tls tls(boolean used, Map<String, String> parameters) {
        String authorities = parameters.get("tlsCa");
        boolean verified = flag("tlsVerify", parameters.get("tlsVerify"), true);
        if (!used && (authorities != null || !verified)) {
            throw new IllegalArgumentException("tlsCa and tlsVerify are for encrypted connections: use rediss://");
        }
        return new RedisUri.Tls(used, authorities, verified);
    }

    private static RedisOptions options(RedisUri.Topology topology, Map<String, String> parameters) {
        RedisOptions defaults = RedisOptions.DEFAULT;
        int shards = topology == RedisUri.Topology.CLUSTER
                ? RedisOptions.SHARDS_OF_A_CLUSTER
                : RedisOptions.SHARDS_OF_A_SERVER;
        return new RedisOptions(
                parameters.getOrDefault("prefix", defaults.prefix()),
                number("shards", parameters.get("shards"), shards),
                number("replicas", parameters.get("replicas"), defaults.replicas()),
                Duration.ofMillis(number("timeoutMillis", parameters.get("timeoutMillis"), (int)
                        defaults.timeout().toMillis())),
                Duration.ofDays(number("keepMarkedDays", parameters.get("keepMarkedDays"), (int)
                        defaults.keepMarked().toDays())),
                flag("acceptUnsafeDurability", parameters.get("acceptUnsafeDurability"), false),
                Duration.ofDays(number("tombstoneDays", parameters.get("tombstoneDays"), 0)));
    }

    private static int number(String name, @Nullable String value, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(name + " must be a whole number");
        }
        return Integer.parseInt(value);
    }

    private static boolean flag(String name, @Nullable String value, boolean otherwise) {
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " must be true or false");
        }
        return value.equals("true");
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 1 ? "" : pair.substring(0, equals);
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException("the Redis URI has an unknown parameter: use "
                        + String.join(", ", PARAMETERS.stream().sorted().toList())
                        + ", each as name=value (in a password, write ? as %3F)");
            }
            if (parameters.put(name, decoded("parameter " + name, pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("the Redis URI has the parameter " + name + " twice");
            }
        }
        return parameters;
    }

    /** Percent-decodes; a plus stays a plus, since passwords often contain one. */
    private static String decoded(String what, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // Without the cause, which quotes the text.
            throw new IllegalArgumentException(
                    "the " + what + " in the Redis URI is not percent-encoded: write % as %25");
        }
    }
}
