package dev.semel.messaging.federation;

/** The reply to the sender of a message. */
public sealed interface FederationReply {

    /**
     * The action was executed.
     *
     * @param result the same for every delivery of the message
     * @param duplicate whether an earlier delivery was executed, and not this one
     */
    record Done(Payload result, boolean duplicate) implements FederationReply {}

    /** The action failed finally: the reply is the same for every delivery of the message. */
    record Failed(String type, String message, boolean duplicate) implements FederationReply {}

    /** The action was not executed, and sending the same message again changes nothing. */
    record Refused(Fault fault) implements FederationReply {

        /** What is wrong with a message. */
        public enum Fault {
            /** The message is for another system. */
            WRONG_RECIPIENT,
            /** The timestamp is too old, or the clocks differ: the sender may send the message again with a new timestamp. */
            STALE,
            UNKNOWN_ACTION,
            /** A name or an id is empty, too long, or not text. */
            INVALID,
            /** Another message has the same id. */
            ID_REUSED,
            /** The id carries a time that is too long ago, or not reached: the message may have been executed before. */
            ID_EXPIRED
        }
    }

    /** There is no result yet: the sender should send the message again, with the same id. */
    record Later(Wait until) implements FederationReply {

        /** Why there is no result yet. */
        public enum Wait {
            IN_PROGRESS,
            /** Whether the action was executed is unknown until the outcome is reconciled. */
            OUTCOME_UNKNOWN,
            /** The action failed without effect. */
            NOT_DONE,
            STORE_UNAVAILABLE
        }
    }
}
