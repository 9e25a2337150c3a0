/** Aliases: one intent that arrives by several channels under different names. */
@NullMarked
package dev.semel.messaging.alias;

import org.jspecify.annotations.NullMarked;
