/** Kafka consumers that handle each record once, and an outbox publisher, on Kafka's own client. */
@NullMarked
package dev.semel.messaging.kafka;

import org.jspecify.annotations.NullMarked;
