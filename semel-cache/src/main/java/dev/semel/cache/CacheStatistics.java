package dev.semel.cache;

/**
 * Counts of a near-cache since it was created, and its size.
 *
 * @param hits lookups that found an entry
 * @param misses lookups that found none
 * @param evictions entries that were removed for others before they expired
 * @param entries the current number of entries
 * @param bytes their estimated size
 * @param maxBytes the limit of their estimated size
 */
public record CacheStatistics(long hits, long misses, long evictions, long entries, long bytes, long maxBytes) {}
