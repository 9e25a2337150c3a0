/** Listeners of Spring Kafka that handle each record once. */
@NullMarked
package dev.semel.messaging.kafka.spring;

import org.jspecify.annotations.NullMarked;
