package dev.semel.dynamodb;

import java.time.Duration;

/**
 * What can be set for a store in DynamoDB.
 *
 * @param shards how many partitions the index of open records has; written down when the store is created, and kept. Each takes
 *     some 500 claims a second
 * @param timeout how long one try of a call may take; a call has up to three
 * @param keepMarked how long a record that pruning has marked, or a person has forgotten, is kept for audit
 * @param create whether to create the table if it does not exist; otherwise the store refuses to start without it
 * @param acceptUnsafeDurability whether to start on a table that can lose acknowledged writes
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record DynamoOptions(
        int shards,
        Duration timeout,
        Duration keepMarked,
        boolean create,
        boolean acceptUnsafeDurability,
        Duration tombstones) {

    public static final DynamoOptions DEFAULT =
            new DynamoOptions(16, Duration.ofSeconds(2), Duration.ofDays(30), true, false, Duration.ZERO);

    static final int MOST_SHARDS = 1024;

    public DynamoOptions {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards is " + shards + ", it must be between 1 and " + MOST_SHARDS);
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

    public DynamoOptions withShards(int count) {
        return new DynamoOptions(count, timeout, keepMarked, create, acceptUnsafeDurability, tombstones);
    }

    public DynamoOptions withTimeout(Duration other) {
        return new DynamoOptions(shards, other, keepMarked, create, acceptUnsafeDurability, tombstones);
    }

    public DynamoOptions withCreate(boolean other) {
        return new DynamoOptions(shards, timeout, keepMarked, other, acceptUnsafeDurability, tombstones);
    }

    public DynamoOptions withAcceptUnsafeDurability(boolean accept) {
        return new DynamoOptions(shards, timeout, keepMarked, create, accept, tombstones);
    }

    public DynamoOptions withTombstones(Duration keep) {
        return new DynamoOptions(shards, timeout, keepMarked, create, acceptUnsafeDurability, keep);
    }
}
