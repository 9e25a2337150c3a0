package dev.semel.messaging.federation;

import dev.semel.Attempt;

/** The application's code that executes an action that another system requested, once per message. */
@FunctionalInterface
public interface FederationAction {

    /**
     * Executes the action.
     *
     * @return the result that the sender gets, now and whenever it sends the message again
     * @throws Exception when the action failed; the operation's policy decides what that means
     */
    Payload act(FederationMessage message, Attempt attempt) throws Exception;
}
