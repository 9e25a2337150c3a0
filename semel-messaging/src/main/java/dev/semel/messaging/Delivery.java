package dev.semel.messaging;

/** What the broker has to do with a delivered message. */
public sealed interface Delivery {

    /**
     * The message was handled: the broker may remove it.
     *
     * @param duplicate whether an earlier delivery was handled, and not this one
     */
    record Acknowledge(boolean duplicate) implements Delivery {}

    /**
     * The broker must deliver the message again: it was not handled, its outcome is unknown, or another consumer is handling
     * it.
     */
    record Redeliver(String reason) implements Delivery {

        /** The handler failed, and the message was released. */
        public static final String HANDLER_FAILED = "handler_failed";
    }

    /** The message cannot be handled: it belongs in the broker's dead-letter queue, for an operator to inspect. */
    record DeadLetter(String reason) implements Delivery {

        /** The message has no usable id. */
        public static final String ID_INVALID = "id_invalid";

        /** Another message with other content has the same id. */
        public static final String ID_REUSED = "id_reused_with_different_content";

        /** The retention of the message has passed, and it may have been handled before. */
        public static final String ID_EXPIRED = "id_expired";

        /** The message says that it was sent at a time that is not reached yet. */
        public static final String ID_FROM_FUTURE = "id_from_future";
    }
}
