package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.Lease;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Where records are.
 *
 * <p>Records are divided into shards by a checksum of their names. A shard's keys all hold its number in braces, so that a
 * cluster keeps them in one slot, and a script can change a record together with its shard's indexes.
 *
 * <p>Every script names one key that never exists, that of a record without a name. A cluster refuses scripts that name a
 * missing key while their slot is on its way from one node to another: a script would find a record on one node and its index
 * on the other, and not know it.
 */
final class Layout {

    /** Scopes and keys hold no control characters, and what follows this in the order of bytes is all they do hold. */
    private static final char BETWEEN = '\t';

    static final String RECORD = ":r:";

    private final byte[][] roots;
    private final byte[][] nameless;

    Layout(String prefix, int shards) {
        this.roots = new byte[shards][];
        this.nameless = new byte[shards][];
        for (int shard = 0; shard < shards; shard++) {
            String root = prefix + ":{" + shard + "}";
            roots[shard] = root.getBytes(StandardCharsets.US_ASCII);
            nameless[shard] = (root + RECORD).getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The key of what is on record about the layout itself. */
    static byte[] ownKey(String prefix) {
        return (prefix + ":layout").getBytes(StandardCharsets.US_ASCII);
    }

    int shards() {
        return roots.length;
    }

    /** The key that every other key of the shard begins with. */
    byte[] root(int shard) {
        return roots[shard];
    }

    /** The keys of a verb on one record: its shard's root, its own, and the one that never exists. */
    byte[][] keys(Identity identity) {
        int shard = shardOf(identity);
        return keys(shard, List.of(key(shard, identity)));
    }

    /** The keys of a verb on these records of a shard, given by their keys. */
    byte[][] keys(int shard, List<byte[]> records) {
        byte[][] keys = new byte[records.size() + 2][];
        keys[0] = roots[shard];
        for (int i = 0; i < records.size(); i++) {
            keys[i + 1] = records.get(i);
        }
        keys[keys.length - 1] = nameless[shard];
        return keys;
    }

    /** The key of a record, whose shard this is. */
    byte[] key(int shard, Identity identity) {
        byte[] member = member(identity);
        byte[] beginning = nameless[shard];
        byte[] key = Arrays.copyOf(beginning, beginning.length + member.length);
        System.arraycopy(member, 0, key, beginning.length, member.length);
        return key;
    }

    /** The keys of a verb on many records of a shard: its root, and the one that never exists. */
    byte[][] keys(int shard) {
        return new byte[][] {roots[shard], nameless[shard]};
    }

    byte[][] keys(Lease lease) {
        return keys(lease.identity());
    }

    int shardOf(Identity identity) {
        if (roots.length == 1) {
            return 0;
        }
        CRC32 sum = new CRC32();
        sum.update(member(identity));
        return (int) (sum.getValue() % roots.length);
    }

    /** A record's name in the indexes of its shard; its bytes are in the order of scope and key. */
    static byte[] member(Identity identity) {
        return (identity.scope().value() + BETWEEN + identity.key().value()).getBytes(StandardCharsets.UTF_8);
    }

    static Identity identity(byte[] member) {
        String name = new String(member, StandardCharsets.UTF_8);
        int between = name.indexOf(BETWEEN);
        return Identity.of(name.substring(0, between), name.substring(between + 1));
    }
}
