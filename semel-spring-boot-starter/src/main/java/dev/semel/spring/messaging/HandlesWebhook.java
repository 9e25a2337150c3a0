package dev.semel.spring.messaging;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the bean of type {@code MessageHandler<WebhookEvent>} that handles the events of an endpoint of
 * {@code semel.webhooks}, on its class or on its bean method.
 *
 * <pre>{@code
 * @Bean
 * @HandlesWebhook("billing")
 * MessageHandler<WebhookEvent> paidInvoices(Invoices invoices) {
 *     return (event, attempt) -> invoices.paid(event.id(), event.body());
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface HandlesWebhook {

    /** The name of the endpoint, as in {@code semel.webhooks.NAME}. */
    String value();
}
