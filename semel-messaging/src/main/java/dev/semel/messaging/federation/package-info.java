/** Federation: actions that other systems request, executed once and answered with the same result each time. */
@NullMarked
package dev.semel.messaging.federation;

import org.jspecify.annotations.NullMarked;
