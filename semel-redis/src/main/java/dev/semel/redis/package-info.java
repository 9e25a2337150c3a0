/**
 * A store of records in Redis: one server, a server that Sentinel monitors, or a cluster.
 *
 * <p>Start with {@link dev.semel.redis.RedisStore#open}. {@code dev.semel.redis.tiered} puts Redis in front of a database;
 * {@code dev.semel.redis.doctor} checks a server's settings and repairs a store; {@code dev.semel.redis.uri} holds the address
 * and the options of a store. The other packages are internal: {@code record} (key names and the binary format), {@code
 * connection} (connections, and confirmation by replicas), {@code script} (the verbs as Lua scripts).
 */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
