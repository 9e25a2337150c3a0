package dev.semel.examples.payments.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a provider.
 *
 * @param lateBy how long after its request {@link PaymentMethod#PM_LATE} charges
 * @param webhooks the receiver of events from the start; null for none
 */
public record ProviderSettings(Duration lateBy, @Nullable WebhookSettings webhooks) {

    /** Ten seconds after the payments application, which waits for five, has given up. */
    private static final Duration LATE_BY = Duration.ofSeconds(15);

    public ProviderSettings {
        if (lateBy.isNegative()) {
            throw new IllegalArgumentException("a charge cannot be made " + lateBy + " after its request");
        }
    }

    public static ProviderSettings defaults() {
        return new ProviderSettings(LATE_BY, null);
    }

    public ProviderSettings lateBy(Duration duration) {
        return new ProviderSettings(duration, webhooks);
    }

    public ProviderSettings webhooks(WebhookSettings receiver) {
        return new ProviderSettings(lateBy, receiver);
    }
}
