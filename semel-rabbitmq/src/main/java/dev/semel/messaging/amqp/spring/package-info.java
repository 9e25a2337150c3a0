/** Listeners of Spring AMQP that handle each message once. */
@NullMarked
package dev.semel.messaging.amqp.spring;

import org.jspecify.annotations.NullMarked;
