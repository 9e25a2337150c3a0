/** Commands that are dispatched more than once, executed once. */
@NullMarked
package dev.semel.messaging.command;

import org.jspecify.annotations.NullMarked;
