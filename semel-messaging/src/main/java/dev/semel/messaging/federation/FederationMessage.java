package dev.semel.messaging.federation;

import java.time.Instant;

/**
 * What one system asks another to do.
 *
 * @param id names this intent among those between the two, and is the same whenever it is sent again
 * @param from who asks; whoever received the message must have made sure of that
 * @param to who is asked
 * @param action what is to be done
 * @param payload what it is to be done with
 * @param timestamp when it was sent this time, by the sender's clock
 */
public record FederationMessage(String id, String from, String to, String action, Payload payload, Instant timestamp) {}
