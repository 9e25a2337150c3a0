/** Listeners of Spring JMS that handle each message once. */
@NullMarked
package dev.semel.messaging.jms.spring;

import org.jspecify.annotations.NullMarked;
