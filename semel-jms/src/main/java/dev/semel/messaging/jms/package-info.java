/** JMS (Jakarta Messaging) consumers that handle each message once. */
@NullMarked
package dev.semel.messaging.jms;

import org.jspecify.annotations.NullMarked;
