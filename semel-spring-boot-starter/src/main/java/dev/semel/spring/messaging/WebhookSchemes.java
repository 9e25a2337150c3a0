package dev.semel.spring.messaging;

import dev.semel.messaging.webhook.GitHubWebhooks;
import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.messaging.webhook.StripeWebhooks;
import dev.semel.messaging.webhook.WebhookScheme;
import dev.semel.spring.SemelProperties.WebhookProperties;
import dev.semel.spring.SemelProperties.WebhookProperties.IdentifyBy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Creates the signature scheme of an endpoint from its properties. */
final class WebhookSchemes {

    private static final String BEAN = "bean:";
    private static final String KNOWN =
            "Write standard (Standard Webhooks), stripe, github, or bean: and the name of a bean of type WebhookScheme.";

    private final ListableBeanFactory beans;

    WebhookSchemes(ListableBeanFactory beans) {
        this.beans = beans;
    }

    WebhookScheme of(String endpoint, WebhookProperties properties) {
        String scheme = properties.scheme();
        String property = endpoint + ".scheme";
        if (scheme == null) {
            throw new WebhookConfigurationException("The property " + property + " is missing.", KNOWN);
        }
        if (scheme.startsWith(BEAN)) {
            return bean(property, scheme, endpoint, properties);
        }
        if (properties.identifyBy() != null && !scheme.equals("github")) {
            throw new InvalidConfigurationPropertyValueException(
                    endpoint + ".identify-by",
                    properties.identifyBy(),
                    "Only GitHub's events can be identified by content; the scheme is " + scheme + ".");
        }
        String[] secrets = secrets(endpoint, properties);
        try {
            return switch (scheme) {
                case "standard" -> StandardWebhooks.signedWith(secrets);
                case "stripe" -> StripeWebhooks.signedWith(secrets);
                case "github" -> github(GitHubWebhooks.signedWith(secrets), properties);
                default -> throw new InvalidConfigurationPropertyValueException(property, scheme, KNOWN);
            };
        } catch (IllegalArgumentException e) {
            // Not as an invalid value: the report would show the secret.
            throw new WebhookConfigurationException(
                    "The property " + endpoint + ".secret or " + endpoint + ".previous-secret is wrong: "
                            + e.getMessage() + ".",
                    "Set the secret as the sender shows it.");
        }
    }

    private static GitHubWebhooks github(GitHubWebhooks scheme, WebhookProperties properties) {
        return properties.identifyBy() == IdentifyBy.CONTENT ? scheme.identifiedByContent() : scheme;
    }

    private static String[] secrets(String endpoint, WebhookProperties properties) {
        if (properties.secret() == null) {
            throw new WebhookConfigurationException(
                    "The property " + endpoint + ".secret is missing.", "Set the secret that the sender signs with.");
        }
        return Stream.of(properties.secret(), properties.previousSecret())
                .filter(Objects::nonNull)
                .toArray(String[]::new);
    }

    private WebhookScheme bean(String property, String scheme, String endpoint, WebhookProperties properties) {
        if (properties.secret() != null || properties.previousSecret() != null || properties.identifyBy() != null) {
            throw new WebhookConfigurationException(
                    "The scheme of " + endpoint + " is a bean, which does not use the properties secret,"
                            + " previous-secret and identify-by.",
                    "Remove them, and configure the bean.");
        }
        String name = scheme.substring(BEAN.length());
        List<String> names = Arrays.asList(beans.getBeanNamesForType(WebhookScheme.class));
        if (!names.contains(name)) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    scheme,
                    "There is no bean \"" + name + "\" of type WebhookScheme; there "
                            + (names.isEmpty() ? "is none." : "are: " + String.join(", ", names) + "."));
        }
        return beans.getBean(name, WebhookScheme.class);
    }
}
