package dev.semel.messaging.federation;

import java.time.Instant;

/**
 * A request of one system to another to execute an action.
 *
 * @param id of this intent, unique between the two systems, the same whenever the message is sent again
 * @param from the sender, which the receiver must have authenticated
 * @param to the recipient
 * @param action the name of the requested action
 * @param payload the action's input
 * @param timestamp when this copy of the message was sent, by the sender's clock
 */
public record FederationMessage(String id, String from, String to, String action, Payload payload, Instant timestamp) {}
