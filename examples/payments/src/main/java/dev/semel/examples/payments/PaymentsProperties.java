package dev.semel.examples.payments;

import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code payments.*}.
 *
 * @param store where records and payments are kept
 * @param provider where the provider listens
 * @param lease how long after a crash its key is answered as running rather than as unknown
 */
@ConfigurationProperties("payments")
public record PaymentsProperties(
        @DefaultValue("sqlite:.semel/payments.db") String store,
        @DefaultValue("http://127.0.0.1:8090") URI provider,
        @DefaultValue("10s") Duration lease) {}
