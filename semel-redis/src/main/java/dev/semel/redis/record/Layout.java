package dev.semel.redis.record;

import dev.semel.Identity;
import dev.semel.Lease;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The names of keys in Redis.
 *
 * <p>Records are divided into shards by a checksum of their names. All keys of a shard contain its number in braces, so that a
 * cluster keeps them in one slot, and a script can change a record together with its shard's indexes.
 *
 * <p>Every script also declares one key that never exists: that of a record with an empty name. While a slot moves from one
 * node to another, a cluster refuses scripts that declare a missing key. Without it, a script could run while the record is on
 * one node and its index on the other.
 */
public final class Layout {

    /** Separates scope and key. Neither contains control characters, and every character that they contain sorts after it. */
    private static final char BETWEEN = '\t';

    /** What stands between the root of a shard and the name of a record. */
    public static final String RECORD = ":r:";

    private final byte[][] roots;
    private final byte[][] nameless;

    public Layout(String prefix, int shards) {
        this.roots = new byte[shards][];
        this.nameless = new byte[shards][];
        for (int shard = 0; shard < shards; shard++) {
            String root = prefix + ":{" + shard + "}";
            roots[shard] = root.getBytes(StandardCharsets.US_ASCII);
            nameless[shard] = (root + RECORD).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The key that stores the layout itself: its format and the number of shards. */
    public static byte[] ownKey(String prefix) {
        return (prefix + ":layout").getBytes(StandardCharsets.US_ASCII);
    }

    public int shards() {
        return roots.length;
    }

    /** The root of a shard: a key, and the start of every other key of the shard. */
    public byte[] root(int shard) {
        return roots[shard];
    }

    /** The keys of a verb on one record: its shard's root, its own, and the one that never exists. */
    public byte[][] keys(Identity identity) {
        int shard = shardOf(identity);
        return keys(shard, List.of(key(shard, identity)));
    }

    /** The keys of a verb on these records of a shard, given by their keys. */
    public byte[][] keys(int shard, List<byte[]> records) {
        byte[][] keys = new byte[records.size() + 2][];
        keys[0] = roots[shard];
        for (int i = 0; i < records.size(); i++) {
            keys[i + 1] = records.get(i);
        }
        keys[keys.length - 1] = nameless[shard];
        return keys;
    }

    /** The key of a record in its shard. */
    public byte[] key(int shard, Identity identity) {
        byte[] member = member(identity);
        byte[] beginning = nameless[shard];
        byte[] key = Arrays.copyOf(beginning, beginning.length + member.length);
        System.arraycopy(member, 0, key, beginning.length, member.length);
        return key;
    }

    /** The keys of a verb on many records of a shard: its root, and the one that never exists. */
    public byte[][] keys(int shard) {
        return new byte[][] {roots[shard], nameless[shard]};
    }

    public byte[][] keys(Lease lease) {
        return keys(lease.identity());
    }

    public int shardOf(Identity identity) {
        if (roots.length == 1) {
            return 0;
        }
        CRC32 sum = new CRC32();
        sum.update(member(identity));
        return (int) (sum.getValue() % roots.length);
    }

    /** A record's name in the indexes of its shard; names sort by scope, then by key. */
    public static byte[] member(Identity identity) {
        return (identity.scope().value() + BETWEEN + identity.key().value()).getBytes(StandardCharsets.UTF_8);
    }

    /** The identity of the record that has this name. */
    public static Identity identity(byte[] member) {
        String name = new String(member, StandardCharsets.UTF_8);
        int between = name.indexOf(BETWEEN);
        return Identity.of(name.substring(0, between), name.substring(between + 1));
    }
}
