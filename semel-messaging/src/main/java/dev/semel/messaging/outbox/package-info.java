/** Messages that are written together with what they tell of, and published afterwards. */
@NullMarked
package dev.semel.messaging.outbox;

import org.jspecify.annotations.NullMarked;
