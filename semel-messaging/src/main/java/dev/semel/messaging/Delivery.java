package dev.semel.messaging;

/** What is to become of a delivered message. */
public sealed interface Delivery {

    /**
     * It is done with, and its broker may forget it.
     *
     * @param duplicate whether an earlier delivery was the one that was handled
     */
    record Acknowledge(boolean duplicate) implements Delivery {}

    /** It has to come again: nothing has happened, or nobody knows yet, or somebody else is at it. */
    record Redeliver(String reason) implements Delivery {}

    /** It cannot be handled: it belongs where the broker keeps such messages, for a person to look at. */
    record DeadLetter(String reason) implements Delivery {}
}
