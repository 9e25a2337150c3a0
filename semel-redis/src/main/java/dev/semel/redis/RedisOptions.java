package dev.semel.redis;

import java.time.Duration;

/**
 * How a store uses Redis.
 *
 * @param prefix what the name of every key begins with, so that several stores can share a server
 * @param shards into how many parts records are divided, each in one slot of a cluster; chosen once for a store
 * @param replicas how many replicas have to confirm a claim or a settlement before it counts; 0 asks none
 * @param timeout how long to wait for an answer before the store is taken to be unavailable
 * @param keepMarked how long a record that pruning has marked is kept for audit
 * @param acceptUnsafeDurability whether to work with a server that may forget what it has confirmed
 */
public record RedisOptions(
        String prefix,
        int shards,
        int replicas,
        Duration timeout,
        Duration keepMarked,
        boolean acceptUnsafeDurability) {

    /** One part: on one server nothing is gained by more, and every index is in one place. */
    public static final int SHARDS_OF_A_SERVER = 1;

    /** Parts that spread well over dozens of nodes, and few enough to visit all of them at every sweep. */
    public static final int SHARDS_OF_A_CLUSTER = 256;

    /** As many as a cluster has slots. */
    private static final int MOST_SHARDS = 16_384;

    private static final String DEFAULT_PREFIX = "semel";

    /** A healthy server answers within a millisecond; a client that waits for its payment waits no longer than this. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    /** Long enough to look into a complaint about last month. */
    private static final Duration DEFAULT_KEEP_MARKED = Duration.ofDays(30);

    /** For one server. */
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
    }

    public RedisOptions withShards(int count) {
        return new RedisOptions(prefix, count, replicas, timeout, keepMarked, acceptUnsafeDurability);
    }

    public RedisOptions withPrefix(String other) {
        return new RedisOptions(other, shards, replicas, timeout, keepMarked, acceptUnsafeDurability);
    }

    public RedisOptions withAcceptUnsafeDurability(boolean accept) {
        return new RedisOptions(prefix, shards, replicas, timeout, keepMarked, accept);
    }
}
