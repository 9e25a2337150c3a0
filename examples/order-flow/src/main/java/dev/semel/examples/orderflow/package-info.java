/** An order from HTTP through PostgreSQL, an outbox and Kafka to one mail. */
@NullMarked
package dev.semel.examples.orderflow;

import org.jspecify.annotations.NullMarked;
