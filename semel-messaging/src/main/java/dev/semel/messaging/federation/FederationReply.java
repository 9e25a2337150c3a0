package dev.semel.messaging.federation;

/** What the sender of a message is to be told. */
public sealed interface FederationReply {

    /**
     * It was done.
     *
     * @param result the same each time the message comes
     * @param duplicate whether it was done when it came before
     */
    record Done(Payload result, boolean duplicate) implements FederationReply {}

    /** It was tried and failed for good: the answer is the same each time the message comes. */
    record Failed(String type, String message, boolean duplicate) implements FederationReply {}

    /** It was not done, and sending it again changes nothing. */
    record Refused(Fault fault) implements FederationReply {

        /** What is wrong with a message. */
        public enum Fault {
            /** Somebody else is asked. */
            WRONG_RECIPIENT,
            /** It was sent too long ago, or the clocks differ: it may be sent again with the time at which that is. */
            STALE,
            UNKNOWN_ACTION,
            /** A name or an id is empty, too long, or not text. */
            INVALID,
            /** The id was that of another message. */
            ID_REUSED
        }
    }

    /** There is no answer yet: the same message is to be sent again, with the same id. */
    record Later(Wait until) implements FederationReply {

        /** What it waits for. */
        public enum Wait {
            IN_PROGRESS,
            /** Nobody knows yet whether it was done. */
            OUTCOME_UNKNOWN,
            /** It failed without effect. */
            NOT_DONE,
            STORE_UNAVAILABLE
        }
    }
}
