package dev.semel.redis.doctor;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import dev.semel.redis.connection.Link;
import dev.semel.redis.record.Layout;
import dev.semel.redis.record.RecordFormat;
import dev.semel.redis.uri.RedisOptions;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks a Redis when a store is opened. Internal to this module. */
public final class StartupCheck {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** The scripts use {@code PEXPIRETIME} and script flags, which came with Redis 7. */
    private static final int OLDEST_MAJOR = 7;

    private StartupCheck() {}

    /**
     * Checks the servers' settings, and creates the store if it does not exist.
     *
     * @throws StoreException when the settings can lose acknowledged writes, or an existing store has another layout
     */
    public static void check(Link link) {
        accepted(link).stream()
                .filter(finding -> finding.weight() != RedisFinding.Weight.FINE)
                .forEach(finding -> LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: {1}; {2}",
                        finding.server(),
                        finding.what(),
                        finding.advice()));
        requireLayout(link);
    }

    /**
     * Checks the servers' settings for an operator's command, without warnings; writes nothing.
     *
     * @throws StoreException also when there is no store
     */
    public static void checkExisting(Link link) {
        accepted(link);
        requireExisting(link);
    }

    private static List<RedisFinding> accepted(Link link) {
        List<RedisFinding> findings = findings(link);
        refuse(findings, RedisFinding.Weight.BROKEN, "");
        if (!link.uri().options().acceptUnsafeDurability()) {
            refuse(findings, RedisFinding.Weight.UNSAFE, ", or accept the loss with acceptUnsafeDurability=true");
        }
        return findings;
    }

    private static void refuse(List<RedisFinding> findings, RedisFinding.Weight weight, String otherwise) {
        String refused = findings.stream()
                .filter(finding -> finding.weight() == weight)
                .map(finding -> finding.server() + ": " + finding.what() + ": " + finding.advice())
                .collect(Collectors.joining("; "));
        if (!refused.isEmpty()) {
            throw new StoreException(refused + otherwise);
        }
    }

    /** Returns what was found about each server that takes writes. */
    static List<RedisFinding> findings(Link link) {
        List<RedisFinding> findings = new ArrayList<>();
        link.servers().forEach((name, server) -> findings.addAll(findings(link, name, server)));
        return findings;
    }

    private static List<RedisFinding> findings(
            Link link, String name, RedisServerAsyncCommands<byte[], byte[]> server) {
        Map<String, String> info = info(link.await(server.info()));
        int replicas = link.uri().options().replicas();
        return List.of(
                version(name, info),
                role(name, info),
                log(name, info),
                sync(name, fsync(link, server)),
                eviction(name, info),
                replicas(name, info, replicas));
    }

    private static Map<String, String> info(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return values;
    }

    private static RedisFinding fine(String server, String what) {
        return new RedisFinding(server, RedisFinding.Weight.FINE, what, "");
    }

    private static RedisFinding version(String server, Map<String, String> info) {
        String version = info.getOrDefault("redis_version", "0");
        boolean old = Integer.parseInt(version.split("\\.", -1)[0]) < OLDEST_MAJOR;
        return old
                ? new RedisFinding(
                        server,
                        RedisFinding.Weight.BROKEN,
                        "this is Redis " + version,
                        "Semel needs Redis 7.0 or later, or Valkey")
                : fine(server, "Redis " + version);
    }

    private static RedisFinding role(String server, Map<String, String> info) {
        return "slave".equals(info.get("role"))
                ? new RedisFinding(
                        server,
                        RedisFinding.Weight.BROKEN,
                        "this is a replica, which takes no writes",
                        "name the primary, or use redis-sentinel:// or redis-cluster://")
                : fine(server, "takes writes");
    }

    private static RedisFinding log(String server, Map<String, String> info) {
        return "1".equals(info.get("aof_enabled"))
                ? fine(server, "appendonly yes: acknowledged writes are in the append-only file")
                : new RedisFinding(
                        server,
                        RedisFinding.Weight.UNSAFE,
                        "appendonly is off, so a restart loses acknowledged records, and their effects can happen again",
                        "set appendonly to yes");
    }

    private static RedisFinding sync(String server, @Nullable String fsync) {
        if (fsync == null) {
            return new RedisFinding(
                    server,
                    RedisFinding.Weight.NOTE,
                    "appendfsync cannot be read, since this user may not run CONFIG",
                    "make sure that it is always, or that a power failure may lose the last second");
        }
        return switch (fsync) {
            case "always" -> fine(server, "appendfsync always: acknowledged writes survive a power failure");
            case "everysec" ->
                new RedisFinding(
                        server,
                        RedisFinding.Weight.NOTE,
                        "appendfsync is everysec, so acknowledged writes survive a crash of the process, but a power"
                                + " failure loses the last second",
                        "set appendfsync to always where that second matters");
            default ->
                new RedisFinding(
                        server,
                        RedisFinding.Weight.UNSAFE,
                        "appendfsync is " + fsync
                                + ", so a power failure loses what the kernel had not written to disk",
                        "set appendfsync to always, or at least to everysec");
        };
    }

    private static @Nullable String fsync(Link link, RedisServerAsyncCommands<byte[], byte[]> server) {
        try {
            return link.await(server.configGet("appendfsync")).get("appendfsync");
        } catch (StoreException notAllowed) {
            return null;
        }
    }

    private static RedisFinding eviction(String server, Map<String, String> info) {
        String policy = info.getOrDefault("maxmemory_policy", "noeviction");
        return policy.equals("noeviction")
                ? fine(server, "maxmemory-policy noeviction: a full server refuses writes and deletes no record")
                : new RedisFinding(
                        server,
                        RedisFinding.Weight.UNSAFE,
                        "maxmemory-policy is " + policy
                                + ", so a full server deletes records, and their effects can happen again",
                        "set maxmemory-policy to noeviction");
    }

    private static RedisFinding replicas(String server, Map<String, String> info, int wanted) {
        int connected = Integer.parseInt(info.getOrDefault("connected_slaves", "0"));
        if (connected < wanted) {
            return new RedisFinding(
                    server,
                    RedisFinding.Weight.BROKEN,
                    "replicas is " + wanted + ", but " + connected + " are connected, so no write could be confirmed",
                    "connect more replicas, or set replicas to a lower number");
        }
        return connected == 0
                ? fine(server, "no replica: there is no failover, and no loss by one")
                : new RedisFinding(
                        server,
                        RedisFinding.Weight.NOTE,
                        "replication is asynchronous, so a failover can lose the last records, and their effects can happen"
                                + " again",
                        "use the tiered store where that is not acceptable");
    }

    /** Creates the layout's key, or compares it: with another number of shards, existing records would not be found. */
    private static void requireLayout(Link link) {
        byte[] value = layout(link).getBytes(StandardCharsets.US_ASCII);
        requireLayout(
                link,
                link.await(link.<byte[], byte[]>call(
                        commands -> commands.setGet(
                                Layout.ownKey(link.uri().options().prefix()), value, SetArgs.Builder.nx()),
                        before -> before == null ? value : before)));
    }

    /**
     * Checks that there is a store, and writes nothing: a mistyped URI must not create an empty store.
     *
     * @throws StoreException when there is no store, or it has another layout
     */
    static void requireExisting(Link link) {
        byte[] nothing = {};
        byte[] stored = link.await(link.<byte[], byte[]>call(
                commands -> commands.get(Layout.ownKey(link.uri().options().prefix())),
                layout -> layout == null ? nothing : layout));
        if (stored.length == 0) {
            throw new NotCreatedException("there is no store with the prefix "
                    + link.uri().options().prefix() + " in Redis at " + link.uri()
                    + ": it is not created yet; a store is created when an application first starts with this URI");
        }
        requireLayout(link, stored);
    }

    private static String layout(Link link) {
        return "format=" + RecordFormat.FORMAT + " shards="
                + link.uri().options().shards();
    }

    private static void requireLayout(Link link, byte[] stored) {
        RedisOptions options = link.uri().options();
        String wanted = layout(link);
        String found = new String(stored, StandardCharsets.UTF_8);
        if (!found.equals(wanted)) {
            throw new StoreException("the store with the prefix " + options.prefix() + " in Redis at " + link.uri()
                    + " has the layout " + found + ", but the URI asks for " + wanted
                    + ": use the same number of shards, or another prefix");
        }
    }
}
