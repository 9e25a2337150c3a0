package dev.semel.examples.payments;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code payments.*}.
 *
 * @param provider where the provider listens
 * @param providerTimeout how long to wait for the provider's answer; after that the outcome is unknown
 * @param webhookSecret what the provider signs its webhooks with
 */
@ConfigurationProperties("payments")
public record PaymentsProperties(
        @DefaultValue("http://127.0.0.1:8090") URI provider,
        @DefaultValue("5s") Duration providerTimeout,

        @DefaultValue("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz")
        String webhookSecret) {}
