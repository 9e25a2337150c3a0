package dev.semel.messaging.alias;

import dev.semel.Intent;

/**
 * An intent, and what the channel that it came by calls it.
 *
 * @param intent the same on every channel: its identity, and the fingerprint of what it means
 */
public record NamedIntent(Alias alias, Intent intent) {}
