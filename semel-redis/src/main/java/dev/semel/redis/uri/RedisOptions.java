package dev.semel.redis.uri;

import java.time.Duration;

/**
 * How a store uses Redis.
 *
 * @param prefix the start of every key's name, so that several stores can share a server
 * @param shards the number of parts that records are divided into, each in one slot of a cluster; fixed for the life of a
 *     store
 * @param replicas how many replicas must confirm a write before the store answers; 0 for none
 * @param timeout how long to wait for a reply before the call fails
 * @param keepMarked how long a record that pruning has marked is kept for audit
 * @param acceptUnsafeDurability whether to use a server that can lose writes it has acknowledged
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record RedisOptions(
        String prefix,
        int shards,
        int replicas,
        Duration timeout,
        Duration keepMarked,
        boolean acceptUnsafeDurability,
        Duration tombstones) {

    /** One shard: more gain nothing on one server, and every index is in one key. */
    public static final int SHARDS_OF_A_SERVER = 1;

    /** Enough shards to spread evenly over dozens of nodes, and few enough for each sweep to query all of them. */
    public static final int SHARDS_OF_A_CLUSTER = 256;

    /** The number of slots in a cluster. */
    private static final int MOST_SHARDS = 16_384;

    private static final String DEFAULT_PREFIX = "semel";

    /** A healthy server replies within a millisecond; an HTTP request should not wait longer than this for the store. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    /** Long enough to investigate a complaint about last month. */
    private static final Duration DEFAULT_KEEP_MARKED = Duration.ofDays(30);

    /** The defaults for one server. */
    public static final RedisOptions DEFAULT =
            new RedisOptions(DEFAULT_PREFIX, SHARDS_OF_A_SERVER, 0, DEFAULT_TIMEOUT, DEFAULT_KEEP_MARKED, false);

    public RedisOptions {
        if (!prefix.matches("[A-Za-z0-9_.:-]{1,64}")) {
            throw new IllegalArgumentException(
                    "prefix must be 1 to 64 letters, digits or one of _ . : - and cannot hold braces");
        }
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards is " + shards + ": it must be between 1 and " + MOST_SHARDS);
        }
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas is " + replicas + ": it cannot be negative");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive");
        }
        if (keepMarked.isNegative() || keepMarked.isZero()) {
            throw new IllegalArgumentException("keepMarked must be positive");
        }
        if (tombstones.isNegative()) {
            throw new IllegalArgumentException("tombstones cannot be negative: give zero for none");
        }
    }

    public RedisOptions(
            String prefix,
            int shards,
            int replicas,
            Duration timeout,
            Duration keepMarked,
            boolean acceptUnsafeDurability) {
        this(prefix, shards, replicas, timeout, keepMarked, acceptUnsafeDurability, Duration.ZERO);
    }

    public RedisOptions withShards(int count) {
        return new RedisOptions(prefix, count, replicas, timeout, keepMarked, acceptUnsafeDurability, tombstones);
    }

    public RedisOptions withPrefix(String other) {
        return new RedisOptions(other, shards, replicas, timeout, keepMarked, acceptUnsafeDurability, tombstones);
    }

    public RedisOptions withAcceptUnsafeDurability(boolean accept) {
        return new RedisOptions(prefix, shards, replicas, timeout, keepMarked, accept, tombstones);
    }

    public RedisOptions withTombstones(Duration keep) {
        return new RedisOptions(prefix, shards, replicas, timeout, keepMarked, acceptUnsafeDurability, keep);
    }
}
