package dev.semel.redis;

/**
 * What the Redis in front of a tiered store was good for since the store was opened.
 *
 * @param hits claims that were answered from it
 * @param misses claims for which it had nothing, or nothing that is still good
 * @param forgeries claims for which it had something that no process of this store has written there
 * @param faults claims for which it gave no answer in time, or none at all
 * @param skipped claims for which it was not asked, since it had failed just before
 */
public record TieredStatistics(long hits, long misses, long forgeries, long faults, long skipped) {}
