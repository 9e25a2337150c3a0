package dev.semel.messaging.alias;

import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Scope;

/**
 * The name of an intent in one channel: the key of an HTTP request, the id of a message or of a webhook's event.
 *
 * @param channel such as {@code http/acme}, {@code orders-queue} or {@code provider-webhook}
 * @param id within the channel
 */
public record Alias(String channel, String id) {

    /**
     * Validates both.
     *
     * @throws IllegalArgumentException when one of them is empty, too long, or contains control characters
     */
    public Alias {
        identityOf(channel, id);
    }

    public static Alias of(String channel, String id) {
        return new Alias(channel, id);
    }

    /** The identity of the alias' own record: its id, in the scope {@code alias/CHANNEL}. */
    public Identity identity() {
        return identityOf(channel, id);
    }

    private static Identity identityOf(String channel, String id) {
        return new Identity(Scope.of("alias", channel), Key.of(id));
    }

    /** The id may contain personal data, so only a prefix of its hash is shown. */
    @Override
    public String toString() {
        return identity().toString();
    }
}
