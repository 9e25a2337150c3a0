package dev.semel.redis.tiered;

/**
 * How often claims of a tiered store used Redis since the store was opened.
 *
 * @param hits claims that were answered from Redis
 * @param misses claims for which Redis had no copy, or one that may have expired
 * @param forgeries claims for which Redis had a value that no process of this store has written
 * @param faults claims for which Redis failed or did not reply in time
 * @param skipped claims that did not use Redis, since it had failed just before
 */
public record TieredStatistics(long hits, long misses, long forgeries, long faults, long skipped) {}
