/** One intent that arrives by several channels, under a name of each channel's own. */
@NullMarked
package dev.semel.messaging.alias;

import org.jspecify.annotations.NullMarked;
