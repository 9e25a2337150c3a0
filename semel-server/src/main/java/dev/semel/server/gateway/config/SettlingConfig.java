package dev.semel.server.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the gateway and its services settle unknown outcomes; the look-ups are with the routes.
 *
 * @param token what a service presents to settle an outcome itself; null where it cannot
 * @param every how often the gateway looks for outcomes that have become unknown, and asks about those that are due
 */
public record SettlingConfig(@Nullable SettleToken token, Duration every) {

    /** As often as a reconciler looks by default: a vanished attempt is noticed this long after its lease. */
    public static final Duration DEFAULT_EVERY = Duration.ofSeconds(10);

    /** Services settle nothing themselves. */
    public static final SettlingConfig DEFAULT = new SettlingConfig(null, DEFAULT_EVERY);
}
