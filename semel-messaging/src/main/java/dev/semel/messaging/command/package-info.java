/** Commands: executed once, however often they are dispatched. */
@NullMarked
package dev.semel.messaging.command;

import org.jspecify.annotations.NullMarked;
