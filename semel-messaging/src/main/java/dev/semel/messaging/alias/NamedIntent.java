package dev.semel.messaging.alias;

import dev.semel.Intent;

/**
 * An intent, and its name in the channel that delivered it.
 *
 * @param intent equal on every channel: its identity, and the fingerprint of its meaning
 */
public record NamedIntent(Alias alias, Intent intent) {}
