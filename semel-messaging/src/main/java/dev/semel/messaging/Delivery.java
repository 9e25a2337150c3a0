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
    record Redeliver(String reason) implements Delivery {

        /** The handler has thrown, and the message was released. */
        public static final String HANDLER_FAILED = "handler_failed";
    }

    /** It cannot be handled: it belongs where the broker keeps such messages, for a person to look at. */
    record DeadLetter(String reason) implements Delivery {

        /** What it has for an id can be none. */
        public static final String ID_INVALID = "id_invalid";

        /** Its id was that of another message. */
        public static final String ID_REUSED = "id_reused_with_different_content";
    }
}
