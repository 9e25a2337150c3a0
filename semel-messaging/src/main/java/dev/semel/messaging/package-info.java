/** Messages that brokers deliver more than once, handled once. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
