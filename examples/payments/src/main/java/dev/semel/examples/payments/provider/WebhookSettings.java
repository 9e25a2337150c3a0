package dev.semel.examples.payments.provider;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The receiver of events about charges and declines, and how they are sent.
 *
 * @param delay before an event is sent for the first time
 * @param backoff before it is sent for the second time; doubled before each time after that
 * @param duplicate whether every event is sent twice, as real providers sometimes do
 * @param silent methods of payment for which no events are sent
 */
public record WebhookSettings(
        URI url, WebhookSigner signer, Duration delay, Duration backoff, boolean duplicate, Set<PaymentMethod> silent) {

    private static final Duration BACKOFF = Duration.ofSeconds(1);

    private static final int LAST_PORT = 65_535;

    public WebhookSettings {
        if (!isHttp(url)) {
            throw new IllegalArgumentException(
                    "the webhook URL must be http://HOST/PATH or https://HOST/PATH, and is '" + url + "'");
        }
        if (delay.isNegative() || backoff.isNegative()) {
            throw new IllegalArgumentException("a webhook cannot be sent before its event");
        }
        silent = Set.copyOf(silent);
    }

    private static boolean isHttp(URI url) {
        String scheme = url.getScheme();
        return ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
                && url.getHost() != null
                && url.getPort() != 0
                && url.getPort() <= LAST_PORT;
    }

    /**
     * Sends every event at once, and again after a second, two, four, and so on, until it is accepted.
     *
     * @throws IllegalArgumentException when the URL is invalid
     */
    public static WebhookSettings to(String url, WebhookSigner signer) {
        try {
            return new WebhookSettings(new URI(url), signer, Duration.ZERO, BACKOFF, false, Set.of());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the webhook URL is invalid: " + e.getMessage(), e);
        }
    }

    public WebhookSettings delay(Duration duration) {
        return new WebhookSettings(url, signer, duration, backoff, duplicate, silent);
    }

    public WebhookSettings backoff(Duration duration) {
        return new WebhookSettings(url, signer, delay, duration, duplicate, silent);
    }

    public WebhookSettings duplicate(boolean twice) {
        return new WebhookSettings(url, signer, delay, backoff, twice, silent);
    }

    /** Adds a method of payment for which no events are sent, so that only asking the provider settles it. */
    public WebhookSettings silentFor(PaymentMethod method) {
        Set<PaymentMethod> more = EnumSet.of(method);
        more.addAll(silent);
        return new WebhookSettings(url, signer, delay, backoff, duplicate, more);
    }
}
