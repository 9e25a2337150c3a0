/** Records of Kafka topics, handled once, with Kafka's own client. */
@NullMarked
package dev.semel.messaging.kafka;

import org.jspecify.annotations.NullMarked;
