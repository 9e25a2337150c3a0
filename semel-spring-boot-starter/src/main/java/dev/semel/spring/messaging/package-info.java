/** Auto-configuration of inboxes, of idempotent Kafka, RabbitMQ and JMS listeners, and of webhook endpoints. */
@NullMarked
package dev.semel.spring.messaging;

import org.jspecify.annotations.NullMarked;
