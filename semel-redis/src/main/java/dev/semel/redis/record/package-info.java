/** Records in Redis: the names of their keys and their binary format. Internal to this module. */
@NullMarked
package dev.semel.redis.record;

import org.jspecify.annotations.NullMarked;
