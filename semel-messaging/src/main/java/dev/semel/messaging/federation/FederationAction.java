package dev.semel.messaging.federation;

import dev.semel.Attempt;

/** What is to be done once for a message. */
@FunctionalInterface
public interface FederationAction {

    /**
     * Does what a message asks for.
     *
     * @return what its sender is answered, now and whenever it asks again
     * @throws Exception when it could not; what that means is up to the action's operation
     */
    Payload act(FederationMessage message, Attempt attempt) throws Exception;
}
