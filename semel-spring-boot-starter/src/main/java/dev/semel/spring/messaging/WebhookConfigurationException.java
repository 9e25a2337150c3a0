package dev.semel.spring.messaging;

/** The properties of a webhook endpoint and the application's beans do not fit together, or a secret is malformed. */
final class WebhookConfigurationException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    /**
     * @param description what is wrong; never with a secret
     * @param action how the application's developer corrects it
     */
    WebhookConfigurationException(String description, String action) {
        super(description + " " + action);
        this.description = description;
        this.action = action;
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
