/** Webhooks in Spring MVC. */
@NullMarked
package dev.semel.messaging.webhook.spring;

import org.jspecify.annotations.NullMarked;
