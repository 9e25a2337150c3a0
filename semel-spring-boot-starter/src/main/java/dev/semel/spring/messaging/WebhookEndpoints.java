package dev.semel.spring.messaging;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import dev.semel.messaging.webhook.WebhookReceiverBuilder;
import dev.semel.messaging.webhook.spring.WebhookFunction;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelProperties.WebhookProperties;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.ResolvableType;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Creates a receiver and a route for each endpoint of {@code semel.webhooks}. */
final class WebhookEndpoints {

    private static final ResolvableType HANDLER =
            ResolvableType.forClassWithGenerics(MessageHandler.class, WebhookEvent.class);

    private final SemelEngine semel;
    private final Operations operations;
    private final ListableBeanFactory beans;
    private final WebhookSchemes schemes;

    WebhookEndpoints(SemelEngine semel, Operations operations, ListableBeanFactory beans) {
        this.semel = semel;
        this.operations = operations;
        this.beans = beans;
        this.schemes = new WebhookSchemes(beans);
    }

    /** @throws RuntimeException when an endpoint's properties are wrong, or it has no handler, or a handler no endpoint */
    RouterFunction<ServerResponse> routes(Map<String, WebhookProperties> endpoints) {
        Map<String, MessageHandler<WebhookEvent>> handlers = handlers(endpoints);
        Map<String, String> senders = new HashMap<>();
        RouterFunctions.Builder routes = RouterFunctions.route();
        new TreeMap<>(endpoints).forEach((sender, properties) -> {
            String endpoint = "semel.webhooks." + sender;
            String path = path(endpoint, properties);
            String other = senders.putIfAbsent(path, sender);
            if (other != null) {
                throw new InvalidConfigurationPropertyValueException(
                        endpoint + ".path",
                        path,
                        "semel.webhooks." + other + " has the same path. Each needs its own.");
            }
            WebhookReceiver receiver = receiver(sender, endpoint, properties);
            routes.POST(path, new WebhookFunction(receiver, handler(sender, endpoint, handlers)));
        });
        return routes.build();
    }

    private static String path(String endpoint, WebhookProperties properties) {
        String path = properties.path();
        if (path == null) {
            throw new WebhookConfigurationException(
                    "The property " + endpoint + ".path is missing.", "Set a path, such as /webhooks/billing.");
        }
        if (!properties.hasPlainPath()) {
            throw new InvalidConfigurationPropertyValueException(
                    endpoint + ".path", path, "Write a plain path, such as /webhooks/billing.");
        }
        return path;
    }

    private WebhookReceiver receiver(String sender, String endpoint, WebhookProperties properties) {
        Operation operation = operations.basedOn(Configured.value(
                endpoint + ".operation",
                properties.operation(),
                () -> Operation.named(properties.operation())
                        .retention(Retention.WEBHOOK)
                        .failures(Failures.RETRY)));
        WebhookReceiverBuilder builder = WebhookReceiver.of(semel, sender, schemes.of(endpoint, properties))
                .operation(operation)
                .tolerance(properties.tolerance())
                .maxBytes(bytes(endpoint, properties.maxBodySize()));
        if (properties.tolerance().isNegative() || properties.tolerance().isZero()) {
            throw new InvalidConfigurationPropertyValueException(
                    endpoint + ".tolerance", properties.tolerance(), "Write a positive duration, such as 5m.");
        }
        return Configured.value(
                "semel.operations." + operation.name() + ".retention", operation.retention(), builder::build);
    }

    private static int bytes(String endpoint, DataSize size) {
        if (size.toBytes() < 1 || size.toBytes() >= Integer.MAX_VALUE) {
            throw new InvalidConfigurationPropertyValueException(
                    endpoint + ".max-body-size", size, "Write a size between 1B and 2047MB, such as 1MB.");
        }
        return (int) size.toBytes();
    }

    private MessageHandler<WebhookEvent> handler(
            String sender, String endpoint, Map<String, MessageHandler<WebhookEvent>> handlers) {
        MessageHandler<WebhookEvent> handler = handlers.get(sender);
        if (handler == null) {
            throw new WebhookConfigurationException(
                    "The endpoint " + endpoint + " has no handler.",
                    "Define a bean of type MessageHandler<WebhookEvent>, and put @HandlesWebhook(\"" + sender
                            + "\") on its class or its bean method.");
        }
        return handler;
    }

    /** The handlers by the name of their endpoint. */
    @SuppressWarnings("unchecked") // The beans are looked up by their generic type.
    private Map<String, MessageHandler<WebhookEvent>> handlers(Map<String, WebhookProperties> endpoints) {
        Map<String, String> names = new HashMap<>();
        Map<String, MessageHandler<WebhookEvent>> handlers = new HashMap<>();
        for (String bean : beans.getBeanNamesForType(HANDLER)) {
            HandlesWebhook handles = beans.findAnnotationOnBean(bean, HandlesWebhook.class);
            if (handles == null) {
                continue;
            }
            String sender = handles.value();
            if (!endpoints.containsKey(sender)) {
                throw new WebhookConfigurationException(
                        "The bean " + bean + " has @HandlesWebhook(\"" + sender + "\"), but there is no endpoint"
                                + " semel.webhooks." + sender + ".",
                        "Correct the name; the endpoints are: " + String.join(", ", new TreeSet<>(endpoints.keySet()))
                                + ".");
            }
            String other = names.putIfAbsent(sender, bean);
            if (other != null) {
                throw new WebhookConfigurationException(
                        "The beans " + other + " and " + bean + " both handle semel.webhooks." + sender + ".",
                        "Keep one of them.");
            }
            handlers.put(sender, (MessageHandler<WebhookEvent>) beans.getBean(bean));
        }
        return handlers;
    }
}
