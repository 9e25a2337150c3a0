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
 * @param providerTimeout how long the provider's answer is awaited; whoever waits longer knows nothing
 * @param lease how long after a crash its key is answered as running rather than as unknown
 * @param settleWindow how long a payment must have been unknown before "the provider knows of nothing" means that nothing
 *     happened: longer than a charge can take to land after its caller has given up
 * @param reconcileEvery how often somebody looks for vanished attempts and asks the provider about unknown payments
 * @param webhookSecret what the provider signs its webhooks with
 */
@ConfigurationProperties("payments")
public record PaymentsProperties(
        @DefaultValue("sqlite:.semel/payments.db") String store,
        @DefaultValue("http://127.0.0.1:8090") URI provider,
        @DefaultValue("5s") Duration providerTimeout,
        @DefaultValue("10s") Duration lease,
        @DefaultValue("15s") Duration settleWindow,
        @DefaultValue("1s") Duration reconcileEvery,

        @DefaultValue("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz")
        String webhookSecret) {}
