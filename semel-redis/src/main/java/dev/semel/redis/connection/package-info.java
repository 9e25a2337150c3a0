/**
 * Connections to Redis, and what is sent over them. Internal to this module.
 *
 * <p>{@link dev.semel.redis.connection.Link} is the connection that all callers share; {@link
 * dev.semel.redis.connection.Confirmer} runs scripts on connections of their own and waits for replicas to confirm them.
 */
@NullMarked
package dev.semel.redis.connection;

import org.jspecify.annotations.NullMarked;
