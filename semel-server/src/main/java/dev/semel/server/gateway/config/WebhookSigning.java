package dev.semel.server.gateway.config;

import dev.semel.messaging.webhook.GitHubWebhooks;
import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.messaging.webhook.StripeWebhooks;
import dev.semel.messaging.webhook.WebhookScheme;
import java.util.List;

/** How a provider signs its deliveries. */
public enum WebhookSigning {
    STANDARD_WEBHOOKS,
    STRIPE,
    GITHUB;

    /** 16 characters of base64 are 96 random bits: a client that guesses the secret could settle outcomes. */
    private static final int SHORTEST_SECRET = 16;

    /**
     * The scheme with secrets, of which one is enough.
     *
     * @throws IllegalArgumentException when there is none, or one cannot be used; the message does not contain it
     */
    public WebhookConfig.Signing with(List<String> secrets) {
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length() < SHORTEST_SECRET)) {
            throw new IllegalArgumentException("the secret that the provider signs with must have at least "
                    + SHORTEST_SECRET + " characters; name its environment variable, such as [\"${WEBHOOK_SECRET}\"]");
        }
        return new WebhookConfig.Signing(this, verifier(secrets.toArray(String[]::new)));
    }

    private WebhookScheme verifier(String... secrets) {
        return switch (this) {
            case STANDARD_WEBHOOKS -> StandardWebhooks.signedWith(secrets);
            case STRIPE -> StripeWebhooks.signedWith(secrets);
            case GITHUB -> GitHubWebhooks.signedWith(secrets);
        };
    }
}
