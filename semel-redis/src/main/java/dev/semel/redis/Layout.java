package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.Lease;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Where records are.
 *
 * <p>Records are divided into shards by a checksum of their names. A shard's keys all hold its number in braces, so that a
 * cluster keeps them in one slot, and a script can change a record together with its shard's indexes.
 */
final class Layout {

    /** Scopes and keys hold no control characters, and what follows this in the order of bytes is all they do hold. */
    private static final char BETWEEN = '\t';

    private static final String RECORD = ":r:";

    private final byte[][] roots;

    Layout(String prefix, int shards) {
        this.roots = new byte[shards][];
        for (int shard = 0; shard < shards; shard++) {
            roots[shard] = (prefix + ":{" + shard + "}").getBytes(StandardCharsets.US_ASCII);
        }
    }

    int shards() {
        return roots.length;
    }

    /** The key that every other key of the shard begins with. */
    byte[] root(int shard) {
        return roots[shard];
    }

    /** The two keys of a verb on one record: its shard's root, and its own. */
    byte[][] keys(Identity identity) {
        byte[] member = member(identity);
        byte[] root = roots[shardOf(member)];
        byte[] key = Arrays.copyOf(root, root.length + RECORD.length() + member.length);
        for (int i = 0; i < RECORD.length(); i++) {
            key[root.length + i] = (byte) RECORD.charAt(i);
        }
        System.arraycopy(member, 0, key, root.length + RECORD.length(), member.length);
        return new byte[][] {root, key};
    }

    byte[][] keys(Lease lease) {
        return keys(lease.identity());
    }

    private int shardOf(byte[] member) {
        if (roots.length == 1) {
            return 0;
        }
        CRC32 sum = new CRC32();
        sum.update(member);
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
