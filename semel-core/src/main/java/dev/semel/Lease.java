package dev.semel;

/**
 * The right to execute, granted by a store.
 *
 * @param fence a number from the store that only rises, also across expiry and reuse of the same key; every later write
 *     carries it, and a write with a lower one than the record's is refused
 */
public record Lease(Identity identity, long fence) {}
