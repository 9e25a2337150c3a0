/** The address of a Redis, and the options of a store in it. */
@NullMarked
package dev.semel.redis.uri;

import org.jspecify.annotations.NullMarked;
