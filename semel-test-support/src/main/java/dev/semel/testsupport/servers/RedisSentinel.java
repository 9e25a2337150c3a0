package dev.semel.testsupport.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A Redis primary, its replica, and three Sentinels that promote the replica when the primary does not answer. */
public final class RedisSentinel implements AutoCloseable {

    /** The primary's name in the configuration of the Sentinels. */
    public static final String MASTER = "records";

    private static final int SENTINELS = 3;

    /** Short for a test, and long enough that a server on a busy machine is not taken for dead. */
    private static final int DOWN_AFTER_MILLIS = 1_000;

    private final RedisServer primary;
    private final RedisServer replica;
    private final List<RedisServer> sentinels = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    private RedisSentinel(RedisServer primary, RedisServer replica) {
        this.primary = primary;
        this.replica = replica;
    }

    /** Starts all five, and waits until every Sentinel lists the replica and the other Sentinels. */
    public static RedisSentinel start() {
        RedisServer primary = RedisServer.start();
        RedisServer replica = RedisServer.startReplicaOf(primary);
        RedisSentinel group = new RedisSentinel(primary, replica);
        for (int i = 0; i < SENTINELS; i++) {
            group.watch();
        }
        Await.until("Sentinels that list the replica and each other", group::isComplete);
        return group;
    }

    private void watch() {
        Path file = configuration();
        files.add(file);
        sentinels.add(RedisServer.launchSentinel(file));
    }

    /** Sentinel also writes its state to this file. */
    private Path configuration() {
        String address = "127.0.0.1 " + primary.port();
        try {
            Path file = Files.createTempFile("semel-sentinel", ".conf");
            Files.writeString(
                    file,
                    String.join(
                            "\n",
                            "sentinel monitor " + MASTER + " " + address + " 2",
                            "sentinel down-after-milliseconds " + MASTER + " " + DOWN_AFTER_MILLIS,
                            "sentinel failover-timeout " + MASTER + " 10000",
                            ""));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isComplete() {
        return sentinels.stream().allMatch(sentinel -> {
            String known = String.valueOf(sentinel.call("SENTINEL", "MASTER", MASTER));
            return known.contains("num-slaves, 1") && known.contains("num-other-sentinels, " + (SENTINELS - 1));
        });
    }

    public RedisServer primary() {
        return primary;
    }

    public RedisServer replica() {
        return replica;
    }

    /** Waits until every Sentinel names this server as the primary. */
    public void awaitPromoted(RedisServer server) {
        Await.until(
                "promotion",
                () -> sentinels.stream()
                        .allMatch(
                                sentinel -> String.valueOf(sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER))
                                        .contains(String.valueOf(server.port()))));
    }

    /** As a store's URI. */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "/0?master=" + MASTER));
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        replica.close();
        primary.close();
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
