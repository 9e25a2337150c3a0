/** Records in Redis: one server, one that Sentinel watches, or a cluster; and Redis in front of a database. */
@NullMarked
package dev.semel.redis;

import org.jspecify.annotations.NullMarked;
