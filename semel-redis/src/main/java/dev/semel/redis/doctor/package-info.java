/** Checks a Redis before a store uses it, for operators and at every start, and repairs a store's keys. */
@NullMarked
package dev.semel.redis.doctor;

import org.jspecify.annotations.NullMarked;
