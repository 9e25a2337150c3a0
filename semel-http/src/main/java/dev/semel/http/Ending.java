package dev.semel.http;

/** What is sent to the client after its handler ran and the record was settled. */
public sealed interface Ending {

    /**
     * What the handler produced: its response, or its failure in the way that the transport treats failures.
     *
     * @param headers sent with a response of the handler, in place of its own by the same names; they are not recorded
     */
    record AsProduced(Headers headers) implements Ending {

        /** What the handler produced, and nothing else. */
        public AsProduced() {
            this(Headers.NONE);
        }
    }

    /** The headers that the transport puts on a response of the handler. */
    default Headers headers() {
        return Headers.NONE;
    }

    /** This answer, and nothing of what the handler produced. */
    record Replacement(Answer answer) implements Ending {}
}
