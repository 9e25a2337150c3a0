package dev.semel.cache;

/**
 * What a near-cache has done since it was made, and how full it is.
 *
 * @param hits how often an entry was there
 * @param misses how often none was
 * @param evictions how many entries had to make room for others; those whose time was up are not counted
 * @param entries how many there are now
 * @param bytes how much they take, as estimated
 * @param maxBytes how much they may take
 */
public record CacheStatistics(long hits, long misses, long evictions, long entries, long bytes, long maxBytes) {}
