package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.StoreException;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The keys of records, found by walking over all keys of every server. */
final class RecordKeys {

    /** Redis does nothing else meanwhile: walking over so many keys takes it some tenths of a millisecond. */
    private static final int KEYS_AT_ONCE = 200;

    private static final String AFTER_SHARD = "}" + Layout.RECORD;

    private RecordKeys() {}

    /** The identities of at most so many records; fewer are all that there are. */
    static List<Identity> sample(Link link, int limit) {
        List<Identity> found = new ArrayList<>();
        Collection<RedisClusterAsyncCommands<byte[], byte[]>> servers =
                link.servers().values();
        if (servers.isEmpty()) {
            throw new StoreException("Redis cannot be reached, so that it is not known which records it holds");
        }
        for (RedisClusterAsyncCommands<byte[], byte[]> server : servers) {
            walk(link, server, found, limit);
        }
        return found;
    }

    private static void walk(
            Link link, RedisClusterAsyncCommands<byte[], byte[]> server, List<Identity> found, int limit) {
        ScanArgs ours = KeyScanArgs.Builder.matches(link.uri().options().prefix() + ":{*" + AFTER_SHARD + "*")
                .limit(KEYS_AT_ONCE);
        ScanCursor cursor = ScanCursor.INITIAL;
        while (found.size() < limit && !cursor.isFinished()) {
            KeyScanCursor<byte[]> page = link.await(server.scan(cursor, ours));
            page.getKeys().stream().limit((long) limit - found.size()).forEach(key -> found.add(identityOf(key)));
            cursor = page;
        }
    }

    /** Neither the prefix nor the number of the shard holds a brace, so the first one ends the shard. */
    private static Identity identityOf(byte[] key) {
        int member = 0;
        while (key[member] != '}') {
            member++;
        }
        return Layout.identity(Arrays.copyOfRange(key, member + AFTER_SHARD.length(), key.length));
    }
}
