/**
 * Webhooks: what senders deliver over HTTP, signed and more than once, handled once.
 *
 * <p>{@link dev.semel.messaging.webhook.WebhookReceiver} knows no framework; the packages below this one connect it to some.
 */
@NullMarked
package dev.semel.messaging.webhook;

import org.jspecify.annotations.NullMarked;
