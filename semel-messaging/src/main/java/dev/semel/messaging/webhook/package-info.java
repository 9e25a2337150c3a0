/**
 * Webhooks: signed HTTP deliveries, verified, and handled once.
 *
 * <p>{@link dev.semel.messaging.webhook.WebhookReceiver} depends on no framework; the packages below this one connect it to
 * servlets and to Spring MVC.
 */
@NullMarked
package dev.semel.messaging.webhook;

import org.jspecify.annotations.NullMarked;
