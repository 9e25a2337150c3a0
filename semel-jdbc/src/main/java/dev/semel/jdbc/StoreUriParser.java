package dev.semel.jdbc;

import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.config.DatabaseServer.Credentials;
import dev.semel.jdbc.config.DatabaseServer.PoolOptions;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.internal.ServerDriver;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads store URIs. A malformed one is described without quoting it: anything in it could be a password.
 */
final class StoreUriParser {

    private static final String RIGHT = "use memory:, sqlite:PATH, postgresql://user:password@host:port/database,"
            + " mysql://user:password@host:port/database, redis://user:password@host:port,"
            + " redis-sentinel://user:password@host:port,host:port?master=name,"
            + " redis-cluster://user:password@host:port,host:port (rediss for TLS), dynamodb://TABLE?region=REGION,"
            + " or cassandra://user:password@host:port,host:port/keyspace?dc=datacenter";

    private static final String WITHOUT_REDIS =
            "the Redis store is in a module of its own: add dev.semel:semel-redis to the dependencies";

    private static final String WITHOUT_DYNAMODB =
            "the DynamoDB store is in a module of its own: add dev.semel:semel-dynamodb to the dependencies";

    private static final String WITHOUT_CASSANDRA =
            "the Cassandra store is in a module of its own: add dev.semel:semel-cassandra to the dependencies";

    private static final String SCHEMA_MODE = "schemaMode";
    private static final String ACCEPT_UNSAFE_DURABILITY = "acceptUnsafeDurability";
    private static final String POOL_SIZE = "poolSize";
    private static final String LANES = "lanes";
    private static final String BUSY_TIMEOUT = "busyTimeoutMillis";
    private static final String TOMBSTONES = "tombstoneDays";

    private static final Pattern HOST = Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");

    private static final int LAST_PORT = 65_535;

    private StoreUriParser() {}

    static StoreUri parse(String uri) {
        String rest = uri.substring(uri.indexOf(':') + 1);
        String scheme = schemeOf(uri);
        return switch (scheme) {
            case "memory" -> memory(rest);
            case "sqlite" -> sqlite(rest);
            case "postgresql", "postgres" -> postgresql(rest);
            case "mysql", "mariadb" -> mysql(rest);
            case "jdbc" -> throw new IllegalArgumentException(withoutJdbc(rest));
            case "dynamodb" -> throw new IllegalArgumentException(WITHOUT_DYNAMODB);
            case "cassandra" -> throw new IllegalArgumentException(WITHOUT_CASSANDRA);
            default ->
                throw new IllegalArgumentException(
                        scheme.matches("rediss?(-sentinel|-cluster)?")
                                ? WITHOUT_REDIS
                                : (scheme.isEmpty() ? "not a store URI" : "no store has the scheme of this URI") + ": "
                                        + RIGHT);
        };
    }

    /** Names what would be right without quoting the URI, which may hold a password. */
    private static String withoutJdbc(String rest) {
        return switch (schemeOf(rest)) {
            case "postgresql" -> dropJdbc("postgresql://user:password@host:port/database");
            case "mysql", "mariadb" -> dropJdbc("mysql://user:password@host:port/database");
            case "sqlite" -> dropJdbc("sqlite:PATH");
            default -> "a store's URI is not a JDBC URL: " + RIGHT;
        };
    }

    private static String dropJdbc(String right) {
        return "a store's URI is not a JDBC URL: drop `jdbc:` and use " + right;
    }

    /** What stands before the first colon; empty without one. */
    static String schemeOf(String uri) {
        return uri.substring(0, Math.max(0, uri.indexOf(':')));
    }

    private static StoreUri memory(String rest) {
        if (!rest.isEmpty()) {
            throw new IllegalArgumentException("a memory store has nothing after the colon: use memory:");
        }
        return new StoreUri.Memory();
    }

    private static StoreUri sqlite(String rest) {
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        if (path.startsWith("//")) {
            if (!path.startsWith("///")) {
                throw new IllegalArgumentException(
                        "a SQLite file has no host: use sqlite:relative/path.db or sqlite:/absolute/path.db");
            }
            path = path.substring(2);
        }
        if (path.isEmpty() || path.equals(":memory:")) {
            throw new IllegalArgumentException(
                    "a SQLite store needs a file: use sqlite:PATH, or memory: for a store that forgets");
        }
        if (path.startsWith("~")) {
            // A shell expands it at the start of a word only, and the store would begin in a new file.
            throw new IllegalArgumentException(
                    "sqlite:~ is not your home directory: write it out, as in sqlite:/home/alice/semel.db");
        }
        SqliteOptions options = new SqliteOptions(
                schemaMode(parameters.remove(SCHEMA_MODE)),
                Duration.ofMillis(positive(BUSY_TIMEOUT, parameters.remove(BUSY_TIMEOUT), (int)
                        SqliteOptions.DEFAULT.busyTimeout().toMillis())),
                tombstones(parameters.remove(TOMBSTONES)));
        for (String name : parameters.keySet()) {
            throw new IllegalArgumentException("sqlite: has no parameter " + shown(name) + ": use " + SCHEMA_MODE + ", "
                    + BUSY_TIMEOUT + " or " + TOMBSTONES);
        }
        try {
            return new StoreUri.Sqlite(Path.of(path), options);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("sqlite: is not followed by a path: " + e.getReason(), e);
        }
    }

    /** What the URIs of servers have in common. */
    private record Server(
            DatabaseServer address,
            SchemaMode schemaMode,
            boolean acceptUnsafeDurability,
            int lanes,
            Duration tombstones) {}

    private static StoreUri postgresql(String rest) {
        Server server =
                server("postgresql", 5432, PostgresOptions.DEFAULT_LANES, ServerDriver.POSTGRESQL.parameters(), rest);
        return new StoreUri.Postgresql(
                server.address(),
                new PostgresOptions(
                        server.schemaMode(), server.acceptUnsafeDurability(), server.lanes(), server.tombstones()));
    }

    private static StoreUri mysql(String rest) {
        Server server = server("mysql", 3306, MysqlOptions.DEFAULT_LANES, ServerDriver.MARIADB.parameters(), rest);
        return new StoreUri.Mysql(
                server.address(),
                new MysqlOptions(
                        server.schemaMode(), server.acceptUnsafeDurability(), server.lanes(), server.tombstones()));
    }

    private static Server server(String scheme, int port, int defaultLanes, Set<String> driverParameters, String rest) {
        String right = "use " + scheme + "://user:password@host:port/database";
        if (!rest.startsWith("//")) {
            throw new IllegalArgumentException(scheme + ": must be followed by two slashes: " + right);
        }
        int question = rest.indexOf('?');
        String beforeQuery = rest.substring(2, question < 0 ? rest.length() : question);
        int at = beforeQuery.lastIndexOf('@');
        int slash = beforeQuery.indexOf('/', at + 1);
        if (slash < 0 || slash == beforeQuery.length() - 1) {
            throw new IllegalArgumentException(scheme + ": names no database: " + right);
        }
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        SchemaMode mode = schemaMode(parameters.remove(SCHEMA_MODE));
        boolean unsafe = flag(ACCEPT_UNSAFE_DURABILITY, parameters.remove(ACCEPT_UNSAFE_DURABILITY));
        int size = positive(POOL_SIZE, parameters.remove(POOL_SIZE), PoolOptions.DEFAULT_SIZE);
        int lanes = positive(LANES, parameters.remove(LANES), defaultLanes);
        Duration tombstones = tombstones(parameters.remove(TOMBSTONES));
        for (String name : parameters.keySet()) {
            if (!driverParameters.contains(name)) {
                throw new IllegalArgumentException(
                        scheme + ": has no parameter " + shown(name) + ": use " + SCHEMA_MODE + ", "
                                + ACCEPT_UNSAFE_DURABILITY + ", " + POOL_SIZE + ", " + LANES + ", " + TOMBSTONES
                                + " or one of the JDBC driver's");
            }
        }
        return new Server(
                new DatabaseServer(
                        hosts(scheme, port, beforeQuery.substring(at + 1, slash)),
                        decoded("database", beforeQuery.substring(slash + 1)),
                        credentials(at < 0 ? "" : beforeQuery.substring(0, at)),
                        new PoolOptions(size, parameters)),
                mode,
                unsafe,
                lanes,
                tombstones);
    }

    private static String hosts(String scheme, int port, String hosts) {
        for (String host : hosts.split(",", -1)) {
            var matcher = HOST.matcher(host);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(scheme + ": has a malformed host or port: use host or host:" + port
                        + ", and percent-encode @, / and ? in user and password");
            }
            int given = matcher.group(1) == null ? port : Integer.parseInt(matcher.group(1));
            if (given < 1 || given > LAST_PORT) {
                throw new IllegalArgumentException(
                        scheme + ": has a port that is not between 1 and " + LAST_PORT + ": use host:" + port);
            }
        }
        return hosts;
    }

    private static Credentials credentials(String userInfo) {
        if (userInfo.isEmpty()) {
            return new Credentials(null, null);
        }
        int colon = userInfo.indexOf(':');
        return new Credentials(
                decoded("user", colon < 0 ? userInfo : userInfo.substring(0, colon)),
                colon < 0 ? null : decoded("password", userInfo.substring(colon + 1)));
    }

    /** A parameter's name for a message, unless it may be the rest of a password with an unencoded question mark. */
    private static String shown(String name) {
        return name.matches("[A-Za-z][A-Za-z_]*") ? "'" + name + "'" : "of that name (in a password, write ? as %3F)";
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("a parameter of the store URI is not of the form name=value");
            }
            String name = decoded("parameter", pair.substring(0, equals));
            if (parameters.put(name, decoded("parameter " + shown(name), pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("the store URI has the parameter " + shown(name) + " twice");
            }
        }
        return parameters;
    }

    /** Percent-decoding; a plus stays a plus, as it is common in passwords. */
    private static String decoded(String what, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // Without the cause, which quotes the text.
            throw new IllegalArgumentException(
                    "the " + what + " in the store URI is not percent-encoded: write % as %25");
        }
    }

    private static SchemaMode schemaMode(@Nullable String value) {
        if (value == null || value.equals("create")) {
            return SchemaMode.CREATE;
        }
        if (value.equals("validate")) {
            return SchemaMode.VALIDATE;
        }
        throw new IllegalArgumentException(SCHEMA_MODE + " must be create or validate");
    }

    private static boolean flag(String name, @Nullable String value) {
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException(name + " must be true or false");
    }

    /** Days: a tombstone that is kept for less is of little use. */
    private static Duration tombstones(@Nullable String days) {
        return days == null ? Duration.ZERO : Duration.ofDays(positive(TOMBSTONES, days, 1));
    }

    private static int positive(String name, @Nullable String value, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(name + " must be a whole number above zero");
        }
        return Integer.parseInt(value);
    }
}
