package dev.semel.benchmarks.database;

import dev.semel.redis.uri.RedisUri;
import dev.semel.testsupport.servers.RedisServer;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** One Redis, in which every key of this run has a prefix of its own. */
public final class RedisPlace implements Place {

    /**
     * As most servers are run: the log is synced every second, so what is confirmed outlives the process. Snapshots and
     * rewrites of the log are off, because they would slow down one contender and not the others.
     */
    private static final String[] SETTINGS = {
        "--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--auto-aof-rewrite-percentage", "0"
    };

    /** Keys that are removed in one round trip. */
    private static final int PORTION = 1_000;

    private final RedisUri uri;
    private final Runnable stop;
    private final String prefix = "semel-bench-" + ProcessHandle.current().pid();
    private final RedisClient client;
    private final String description;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisPlace(RedisUri uri, Runnable stop, String where) throws IOException {
        this.uri = uri;
        this.stop = stop;
        this.client = RedisClient.create(lettuceUri(uri));
        try {
            this.description = described() + where;
        } catch (RedisException e) {
            client.shutdown();
            throw new IOException("cannot reach Redis at " + uri + ": " + e.getMessage(), e);
        }
    }

    /** One of this run's own. */
    public static RedisPlace started() throws IOException {
        RedisServer server = RedisServer.start(SETTINGS);
        try {
            return new RedisPlace(RedisUri.parse(server.uri()), server::close, ", started for this run");
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** One that runs. */
    static RedisPlace at(RedisUri uri) throws IOException {
        return new RedisPlace(uri, () -> {}, "");
    }

    /** What Lettuce needs to connect. */
    public static RedisURI lettuceUri(RedisUri uri) {
        RedisUri.Node node = uri.nodes().get(0);
        RedisURI.Builder builder =
                RedisURI.builder().withHost(node.host()).withPort(node.port()).withDatabase(uri.database());
        RedisUri.Credentials credentials = uri.credentials();
        if (credentials.password() != null) {
            String user = credentials.user() == null ? "default" : credentials.user();
            builder.withAuthentication(user, credentials.password().toCharArray());
        }
        return builder.build();
    }

    private String described() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            Map<String, String> info = info(connection.sync());
            return "Redis " + info.get("redis_version") + ", appendonly="
                    + ("1".equals(info.get("aof_enabled")) ? "yes" : "no") + ", "
                    + setting(connection.sync(), "appendfsync") + ", "
                    + setting(connection.sync(), "maxmemory-policy");
        }
    }

    private static String setting(RedisCommands<String, String> commands, String name) {
        return name + "=" + commands.configGet(name).getOrDefault(name, "?");
    }

    private static Map<String, String> info(RedisCommands<String, String> commands) {
        Map<String, String> values = new HashMap<>();
        commands.info().lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return values;
    }

    /** For a store, with this run's prefix. */
    public RedisUri uri() {
        return uri.withOptions(uri.options().withPrefix(prefix));
    }

    /** The same as text, with what it takes to connect. */
    public String uriText() {
        RedisUri.Node node = uri.nodes().get(0);
        RedisUri.Credentials credentials = uri.credentials();
        String user = credentials.user() == null ? "" : credentials.user();
        String password = credentials.password() == null ? "" : user + ":" + credentials.password() + "@";
        return "redis://" + password + node.host() + ":" + node.port() + "/" + uri.database() + "?prefix=" + prefix;
    }

    /** The processor time of the server, as it counts it. */
    public ServerClock clock() {
        return () -> {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                Map<String, String> info = info(connection.sync());
                return Math.round((Double.parseDouble(info.getOrDefault("used_cpu_sys", "0"))
                                + Double.parseDouble(info.getOrDefault("used_cpu_user", "0")))
                        * 1e9);
            }
        };
    }

    /** What the name of every key of this run begins with. */
    public String prefix() {
        return prefix;
    }

    /** A client as it comes, without any settings; it is closed together with this. */
    public RedisClient client() {
        return client;
    }

    /** How many bytes the server has allocated. */
    public long usedMemory() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return Long.parseLong(info(connection.sync()).getOrDefault("used_memory", "0"));
        }
    }

    @Override
    public String description() {
        return description;
    }

    /** Removes every key of this run. */
    public void clear() {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            RedisCommands<String, String> commands = connection.sync();
            ScanArgs own = ScanArgs.Builder.matches(prefix + "*").limit(PORTION);
            KeyScanCursor<String> page = commands.scan(own);
            while (true) {
                if (!page.getKeys().isEmpty()) {
                    commands.unlink(page.getKeys().toArray(String[]::new));
                }
                if (page.isFinished()) {
                    return;
                }
                page = commands.scan(page, own);
            }
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                clear();
            } finally {
                client.shutdown();
                stop.run();
            }
        }
    }
}
