package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.redis.connection.Link;
import dev.semel.redis.record.Layout;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Finds the keys of records by a {@code SCAN} of every server. */
final class RecordKeys {

    /** The page size of a {@code SCAN}: a page blocks Redis for some tenths of a millisecond. */
    private static final int PAGE_KEYS = 200;

    private static final String AFTER_SHARD = "}" + Layout.RECORD;

    private RecordKeys() {}

    /** Returns the identities of at most this many records; if fewer, of all. */
    static List<Identity> sample(Link link, int limit) {
        List<Identity> found = new ArrayList<>();
        Collection<RedisClusterAsyncCommands<byte[], byte[]>> servers =
                link.servers().values();
        if (servers.isEmpty()) {
            throw new StoreException("Redis at " + link.uri() + " cannot be reached: start it, or check the network");
        }
        for (RedisClusterAsyncCommands<byte[], byte[]> server : servers) {
            scan(link, server, found, limit);
        }
        return found;
    }

    private static void scan(
            Link link, RedisClusterAsyncCommands<byte[], byte[]> server, List<Identity> found, int limit) {
        ScanArgs records = KeyScanArgs.Builder.matches(link.uri().options().prefix() + ":{*" + AFTER_SHARD + "*")
                .limit(PAGE_KEYS);
        ScanCursor cursor = ScanCursor.INITIAL;
        while (found.size() < limit && !cursor.isFinished()) {
            KeyScanCursor<byte[]> page = link.await(server.scan(cursor, records));
            page.getKeys().stream().limit((long) limit - found.size()).forEach(key -> found.add(identityOf(key)));
            cursor = page;
        }
    }

    /** Neither the prefix nor the shard's number contains a brace, so the first closing one ends the shard's root. */
    private static Identity identityOf(byte[] key) {
        int member = 0;
        while (key[member] != '}') {
            member++;
        }
        return Layout.identity(Arrays.copyOfRange(key, member + AFTER_SHARD.length(), key.length));
    }
}
