/** The outbox: messages that commit together with the change that they announce, and are published afterwards. */
@NullMarked
package dev.semel.messaging.outbox;

import org.jspecify.annotations.NullMarked;
