/** RabbitMQ, and whatever else speaks AMQP 0-9-1: consumers that handle each message once, on the RabbitMQ client. */
@NullMarked
package dev.semel.messaging.amqp;

import org.jspecify.annotations.NullMarked;
