package dev.semel.cassandra;

import java.time.Duration;

/**
 * What can be set for a store in Cassandra.
 *
 * @param consistency among which replicas conditions are decided
 * @param timeout how long one try of a call may take; a call has several
 * @param keepMarked how long a record that pruning has marked, or a person has forgotten, is kept for audit
 * @param create whether to create the table if it does not exist; the keyspace must exist in any case
 * @param acceptUnsafeDurability whether to start on a keyspace that can lose or contradict acknowledged writes
 * @param tombstones how long to keep the tombstones of deleted records; zero for none
 */
public record CassandraOptions(
        Consistency consistency,
        Duration timeout,
        Duration keepMarked,
        boolean create,
        boolean acceptUnsafeDurability,
        Duration tombstones) {

    public static final CassandraOptions DEFAULT = new CassandraOptions(
            Consistency.GLOBAL, Duration.ofSeconds(4), Duration.ofDays(30), true, false, Duration.ZERO);

    public CassandraOptions {
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

    public CassandraOptions withConsistency(Consistency other) {
        return new CassandraOptions(other, timeout, keepMarked, create, acceptUnsafeDurability, tombstones);
    }

    public CassandraOptions withTimeout(Duration other) {
        return new CassandraOptions(consistency, other, keepMarked, create, acceptUnsafeDurability, tombstones);
    }

    public CassandraOptions withCreate(boolean other) {
        return new CassandraOptions(consistency, timeout, keepMarked, other, acceptUnsafeDurability, tombstones);
    }

    public CassandraOptions withAcceptUnsafeDurability(boolean accept) {
        return new CassandraOptions(consistency, timeout, keepMarked, create, accept, tombstones);
    }

    public CassandraOptions withTombstones(Duration keep) {
        return new CassandraOptions(consistency, timeout, keepMarked, create, acceptUnsafeDurability, keep);
    }
}
