package dev.semel.redis;

import dev.semel.redis.connection.Link;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;

/** All keys and values of a Redis. */
public final class StoredValues {

    private StoredValues() {}

    public static List<byte[]> in(Link link) {
        List<byte[]> all = new ArrayList<>();
        for (RedisClusterAsyncCommands<byte[], byte[]> server : link.servers().values()) {
            ScanCursor cursor = ScanCursor.INITIAL;
            while (!cursor.isFinished()) {
                KeyScanCursor<byte[]> page = link.await(server.scan(cursor));
                page.getKeys().forEach(key -> add(link, server, key, all));
                cursor = page;
            }
        }
        return all;
    }

    private static void add(Link link, RedisClusterAsyncCommands<byte[], byte[]> server, byte[] key, List<byte[]> all) {
        all.add(key);
        String type = link.await(server.type(key));
        switch (type) {
            case "string" -> all.add(link.await(server.get(key)));
            case "hash" ->
                link.await(server.hgetall(key)).forEach((field, value) -> {
                    all.add(field);
                    all.add(value);
                });
            case "zset" -> all.addAll(link.await(server.zrange(key, 0, -1)));
            case "set" -> all.addAll(link.await(server.smembers(key)));
            case "list" -> all.addAll(link.await(server.lrange(key, 0, -1)));
            case "none" -> {
                // It has expired since the scan.
            }
            default -> throw new AssertionError("unexpected type of a key: " + type);
        }
    }
}
