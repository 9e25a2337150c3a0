/**
 * The store's verbs as Lua scripts: the scripts themselves, grouping of calls, and replies. Internal to this module.
 *
 * <p>The Lua files are among the resources of this package, one for each verb.
 */
@NullMarked
package dev.semel.redis.script;

import org.jspecify.annotations.NullMarked;
