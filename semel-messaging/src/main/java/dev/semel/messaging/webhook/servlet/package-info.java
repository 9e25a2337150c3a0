/** Webhooks in a servlet container. */
@NullMarked
package dev.semel.messaging.webhook.servlet;

import org.jspecify.annotations.NullMarked;
